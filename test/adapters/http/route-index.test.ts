import { expect } from 'chai';
import { RouteIndex, type Route } from '../../../src/adapters/http/route-index.js';

describe('RouteIndex', () => {
  const names = new Map<unknown, string>();

  function route(method: Route['method'], path: string, name: string): Route {
    const answer: Route['answer'] = async () => Promise.reject(new Error('this handler is never called'));
    names.set(answer, name);
    return { method, path, answer };
  }

  const index = new RouteIndex([
    route('POST', '/v1/pets', 'create'),
    route('GET', '/v1/pets', 'list'),
    route('GET', '/v1/pets/:petId', 'get'),
    route('GET', '/v1/pets/count', 'count'),
    route('GET', '/', 'root'),
  ]);

  for (const [method, path, found] of [
    ['GET', '/v1/pets', 'list'],
    ['HEAD', '/v1/pets', 'list'],
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
      expect(names.get(index.find(method, path))).to.equal(found);
    });
  }

  it('lists the methods of a path in alphabetical order', () => {
    expect(index.methodsOf('/v1/pets')).to.deep.equal(['GET', 'HEAD', 'POST']);
    for (const path of ['/v1/pets/7', '/v1/pets/count']) expect(index.methodsOf(path)).to.deep.equal(['GET', 'HEAD']);
    expect(index.methodsOf('/v1')).to.deep.equal([]);
  });
});
