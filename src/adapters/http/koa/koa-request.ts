import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { readBody } from '../node/read-body.js';
import type { HttpRequest } from '../request.js';
import { parseTarget } from '../target.js';
import { bodyOfParser } from './parsed-body.js';

/** The request of Koa's context, whose target is in origin form. */
export function koaRequest(ctx: Context): HttpRequest {
  return {
    method: ctx.method,
    path: ctx.path,
    query: ctx.querystring,
    rawHeaders: ctx.req.rawHeaders,
    mountPath: mountPathOf(ctx),
    readBody: async (limit) => bodyOfParser(ctx, limit) ?? readBody(ctx.req, limit),
  };
}

/** The path that a larger application, of Koa or Express, has taken off the request's own. */
function mountPathOf({ req, originalUrl, url, path }: Context): string {
  const target = (req as IncomingMessage & { readonly originalUrl?: string }).originalUrl ?? originalUrl;
  if (target === url) return '';
  const originalPath = parseTarget(target)?.path ?? '';
  return originalPath.endsWith(path) ? originalPath.slice(0, originalPath.length - path.length) : '';
}
