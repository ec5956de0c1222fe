import Router from '@koa/router';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Context } from 'koa';
import { routeIndex } from '../../../../src/adapters/http/koa/route-index.js';

const nothing = (): void => undefined;

const PATHS = ['/v1/pets', '/v1/pets/:petId', '/livez', '/docs/', '/'];

describe('routeIndex', () => {
  const router = new Router({ sensitive: true, strict: true });
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

  it('runs the route of a path', async () => {
    expect(await taking('GET', '/v1/pets')).to.deep.equal(['get /v1/pets']);
    expect(await taking('POST', '/v1/pets/7')).to.deep.equal(['post /v1/pets/:petId']);
  });

  it('takes HEAD for GET, as the router does', async () => {
    expect(await taking('HEAD', '/livez')).to.deep.equal(['get /livez']);
  });

  it('leaves everything else to the router', async () => {
    for (const path of ['/v1/pets/', '/v1/dogs/of/7', '/V1/pets', '/livez/', '*', '']) {
      expect(await taking('GET', path), path).to.deep.equal(['next']);
    }
    expect(await taking('PUT', '/v1/pets')).to.deep.equal(['next']);
  });

  it('sends each request where the router would', async () => {
    const segment = fc.constantFrom('v1', 'pets', 'livez', 'docs', '7', '%37', ':petId', ':', '', '.', 'V1');
    const start = fc.constantFrom('', '/v1/pets', '/livez', '/docs');
    const end = fc.array(segment, { maxLength: 2 }).map((segments) => segments.map((text) => `/${text}`).join(''));
    const path = fc.tuple(start, end).map((parts) => parts.join(''));
    const method = fc.constantFrom('GET', 'POST', 'HEAD', 'PUT');
    await fc.assert(
      fc.asyncProperty(method, path, async (method, path) => {
        const { pathAndMethod } = router.match(path, method);
        const routes = pathAndMethod.map(({ methods, path }) => `${methods.at(-1)?.toLowerCase()} ${String(path)}`);
        expect(await taking(method, path), `${method} ${path}`).to.deep.equal(routes.length === 0 ? ['next'] : routes);
      }),
      { numRuns: 2000 },
    );
  });

  it('refuses a route with several handlers, or none, of which it would run one', () => {
    const twofold = new Router().get('/livez', async (_ctx, next) => next(), nothing);
    expect(() => routeIndex(twofold)).to.throw(TypeError, '/livez must have exactly one handler');
    const empty = new Router();
    empty.register('/livez', ['GET'], []);
    expect(() => routeIndex(empty)).to.throw(TypeError, '/livez must have exactly one handler');
  });

  for (const [what, crowded] of Object.entries({
    'a middleware for all': new Router().use(nothing).get('/v1/pets', nothing),
    'the same path': new Router().get('/v1/pets', nothing).get('/v1/pets', nothing),
    'a parameter before': new Router().get('/v1/:petId', nothing).get('/v1/pets', nothing),
    'another parameter': new Router().get('/v1/:petId', nothing).get('/v1/:name', nothing),
  })) {
    it(`refuses a route beside ${what}, as the router would run both`, () => {
      expect(() => routeIndex(crowded)).to.throw(TypeError, 'must be');
    });
  }
});
