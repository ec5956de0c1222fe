import type { Middleware } from 'koa';
import { parseTarget } from '../target.js';

/**
 * Rewrites every target to origin form, the only form that a router understands. Calls `refuse` if the target is not a path.
 */
export function inOriginForm(refuse: Middleware): Middleware {
  return async (ctx, next) => {
    const target = parseTarget(ctx.url);
    if (target !== undefined && !ctx.url.startsWith('/')) {
      ctx.url = target.query === '' ? target.path : `${target.path}?${target.query}`;
    }
    await (target === undefined ? refuse(ctx, next) : next());
  };
}
