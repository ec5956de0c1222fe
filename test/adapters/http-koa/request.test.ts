import Router from '@koa/router';
import { expect } from 'chai';
import fc from 'fast-check';
import { routeIndex, type Context, type State } from '../../../src/adapters/http-koa/request.js';

const nothing = (): void => undefined;

const PATHS = ['/v1/pets', '/v1/pets/:petId', '/livez', '/v1/:kind/of/:petId'];

describe('routeIndex', () => {
  const router = new Router<State>({ sensitive: true, strict: true });
  const taken: string[] = [];
  for (const method of ['get', 'post'] as const) {
    for (const path of PATHS) router[method](path, () => void taken.push(`${method} ${path}`));
  }
  const index = routeIndex(router);

  /** What the index runs for a request: a route, or what comes behind it. */
  const taking = async (method: string, path: string): Promise<string[]> => {
    taken.length = 0;
    await index({ method, path } as Context, async () => void taken.push('next'));
    return [...taken];
  };

  it('takes a path that is written like a route', async () => {
    expect(await taking('GET', '/v1/pets')).to.deep.equal(['get /v1/pets']);
    expect(await taking('POST', '/livez')).to.deep.equal(['post /livez']);
  });

  it('takes a path with a last segment in place of a parameter', async () => {
    for (const segment of ['7', 'abc', ':petId', ':', '.', 'a b']) {
      expect(await taking('GET', `/v1/pets/${segment}`)).to.deep.equal(['get /v1/pets/:petId']);
    }
  });

  it('takes HEAD for GET, as the router does', async () => {
    expect(await taking('HEAD', '/livez')).to.deep.equal(['get /livez']);
  });

  it('leaves what is not plain to the router', async () => {
    for (const path of ['/v1/pets/', '/v1/pets/%37', '/v1/dogs/of/7', '/V1/pets', '/livez/', '*', '']) {
      expect(await taking('GET', path), path).to.deep.equal(['next']);
    }
    expect(await taking('PUT', '/v1/pets')).to.deep.equal(['next']);
  });

  it('takes no request that the router would send elsewhere', async () => {
    const segment = fc.constantFrom('v1', 'pets', 'livez', 'of', '7', '%37', ':petId', ':kind', '', '.', 'V1');
    const start = fc.constantFrom('', '/v1/pets', '/livez', '/v1/:kind/of', '/v1/dogs/of');
    const end = fc.array(segment, { maxLength: 2 }).map((segments) => segments.map((text) => `/${text}`).join(''));
    const path = fc.tuple(start, end).map((parts) => parts.join(''));
    const method = fc.constantFrom('GET', 'POST', 'HEAD', 'PUT');
    await fc.assert(
      fc.asyncProperty(method, path, async (method, path) => {
        const [route] = await taking(method, path);
        const { pathAndMethod } = router.match(path, method);
        const routes = pathAndMethod.map(({ methods, path }) => `${methods.at(-1)?.toLowerCase()} ${String(path)}`);
        if (route !== 'next') expect([route]).to.deep.equal(routes);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a route with several handlers, or none, of which it would run one', () => {
    const twofold = new Router<State>().get('/livez', async (_ctx, next) => next(), nothing);
    expect(() => routeIndex(twofold)).to.throw(TypeError, '/livez must have exactly one handler');
    const empty = new Router<State>();
    empty.register('/livez', ['GET'], []);
    expect(() => routeIndex(empty)).to.throw(TypeError, '/livez must have exactly one handler');
  });

  for (const [what, crowded] of Object.entries({
    'a middleware for all': new Router<State>().use(nothing).get('/v1/pets', nothing),
    'the same path': new Router<State>().get('/v1/pets', nothing).get('/v1/pets', nothing),
    'a parameter before': new Router<State>().get('/v1/:petId', nothing).get('/v1/pets', nothing),
    'another parameter': new Router<State>().get('/v1/:petId', nothing).get('/v1/:name', nothing),
  })) {
    it(`refuses a route beside ${what}, as the router would run both`, () => {
      expect(() => routeIndex(crowded)).to.throw(TypeError, 'must be');
    });
  }
});
