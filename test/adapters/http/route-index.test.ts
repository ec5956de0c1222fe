import { expect } from 'chai';
import { RouteIndex } from '../../../src/adapters/http/route-index.js';

describe('RouteIndex', () => {
  const index = new RouteIndex<string>();
  index.add('POST', '/v1/pets', 'create');
  index.add('GET', '/v1/pets', 'list');
  index.add('GET', '/v1/pets/:petId', 'get');
  index.add('GET', '/v1/pets/count', 'count');
  index.add('GET', '/', 'root');

  for (const [method, path, found] of [
    ['GET', '/v1/pets', 'list'],
    ['POST', '/v1/pets', 'create'],
    ['GET', '/', 'root'],
    ['GET', '/v1/pets/count', 'count'],
    ...['7', 'abc', ':petId', ':', '.', '%37', 'a b'].map((segment) => ['GET', `/v1/pets/${segment}`, 'get'] as const),
    ['GET', '/v1/pets/', undefined],
    ['PUT', '/v1/pets', undefined],
    ['get', '/v1/pets', undefined],
    ['GET', '/V1/pets', undefined],
    ['GET', '/v1/pets/7/8', undefined],
    ['GET', '//', undefined],
    ['GET', '', undefined],
  ] as const) {
    it(`finds ${found ?? 'nothing'} for ${method} ${path}`, () => {
      expect(index.find(method, path)).to.equal(found);
    });
  }

  it('lists the methods of a path in alphabetical order', () => {
    expect(index.methodsOf('/v1/pets')).to.deep.equal(['GET', 'POST']);
    for (const path of ['/v1/pets/7', '/v1/pets/count']) expect(index.methodsOf(path)).to.deep.equal(['GET']);
    expect(index.methodsOf('/v1')).to.deep.equal([]);
  });

  it('refuses a parameter before the last segment', () => {
    expect(() => index.add('GET', '/:kind/pets', 'x')).to.throw(TypeError, 'only the last segment');
  });

  it('refuses a route twice, whatever its parameter is called', () => {
    expect(() => index.add('GET', '/v1/pets/:id', 'x')).to.throw(TypeError, 'GET /v1/pets/:id is in the index');
  });
});
