import { expect } from 'chai';
import { RouteIndex } from '../../../src/adapters/http/route-index.js';

describe('RouteIndex', () => {
  const index = new RouteIndex<string>();
  index.add('POST', '/v1/pets', 'create');
  index.add('GET', '/v1/pets', 'list');
  index.add('GET', '/v1/pets/:petId', 'get');
  index.add('GET', '/v1/pets/count', 'count');
  index.add('GET', '/', 'root');

  it('finds a path by its method', () => {
    expect(index.find('GET', '/v1/pets')).to.equal('list');
    expect(index.find('POST', '/v1/pets')).to.equal('create');
    expect(index.find('GET', '/')).to.equal('root');
  });

  it('accepts any non-empty last segment as a parameter', () => {
    for (const segment of ['7', 'abc', ':petId', ':', '.', '%37', 'a b']) {
      expect(index.find('GET', `/v1/pets/${segment}`), segment).to.equal('get');
    }
    expect(index.find('GET', '/v1/pets/')).to.equal(undefined);
  });

  it('prefers a path without a parameter', () => {
    expect(index.find('GET', '/v1/pets/count')).to.equal('count');
  });

  it('finds nothing for another method, another case, another depth, or no path', () => {
    for (const [method, path] of [
      ['PUT', '/v1/pets'],
      ['get', '/v1/pets'],
      ['GET', '/V1/pets'],
      ['GET', '/v1/pets/7/8'],
      ['GET', '//'],
      ['GET', '*'],
      ['GET', ''],
    ] as const) {
      expect(index.find(method, path), `${method} ${path}`).to.equal(undefined);
    }
  });

  it('lists the methods of a path in alphabetical order', () => {
    expect(index.methodsOf('/v1/pets')).to.deep.equal(['GET', 'POST']);
    expect(index.methodsOf('/v1/pets/7')).to.deep.equal(['GET']);
    expect(index.methodsOf('/v1/pets/count')).to.deep.equal(['GET']);
    expect(index.methodsOf('/v1/pets/:')).to.deep.equal(['GET']);
    expect(index.methodsOf('/v1')).to.deep.equal([]);
  });

  it('refuses a parameter before the last segment', () => {
    expect(() => index.add('GET', '/:kind/pets', 'x')).to.throw(TypeError, 'only the last segment');
  });

  it('refuses a route twice, whatever its parameter is called', () => {
    expect(() => index.add('GET', '/v1/pets/:id', 'x')).to.throw(TypeError, 'GET /v1/pets/:id is in the index');
  });
});
