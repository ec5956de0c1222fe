import type { Middleware } from 'koa';
import { parseTarget } from '../target.js';

/**
 * Brings every target into origin form, which is all that a router understands. A target that is not a path then goes to
 * `refuse`.
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
