import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { RouteIndex } from '../route-index.js';

/**
 * A shortcut in front of a router, which tries the pattern of every route at each request: an index of its routes. A request
 * that the index does not know goes on to the router. A route that is reached by the index has no `ctx.params`.
 *
 * @throws TypeError for a route with several handlers or none, for a route that is not alone in matching its path (the
 * router would run them all, a `router.use` included), and for a parameter before the last segment.
 */
export function routeIndex(router: Router): Middleware {
  const index = new RouteIndex<Middleware>();
  for (const { methods, path, stack } of router.stack) {
    const [handler] = stack as Middleware[];
    if (handler === undefined || stack.length > 1) throw new TypeError(`${path} must have exactly one handler`);
    for (const method of methods) {
      const isAlone = router.match(String(path), method).pathAndMethod.length === 1;
      if (!isAlone) throw new TypeError(`${method} ${path} must be matched by one route alone`);
      index.add(method, String(path), handler);
    }
  }
  return async (ctx, next) => {
    const handler = index.find(ctx.method, ctx.path);
    await (handler === undefined ? next() : handler(ctx, next));
  };
}
