import type { Context } from 'koa';
import { parsedBody } from '../node/parsed-body.js';
import { readBody } from '../node/read-body.js';
import type { HttpRequest } from '../request.js';
import { mountPathOf } from '../target.js';

/** The request of Koa's context, whose target is in origin form. */
export function koaRequest(ctx: Context): HttpRequest {
  const { method, path, querystring: query, req, request, originalUrl } = ctx;
  return {
    method,
    path,
    query,
    rawHeaders: req.rawHeaders,
    mountPath: mountPathOf(originalUrl, path),
    clientAddress: ctx.ip,
    readBody: async (limit) => parsedBody(req, [request, req], limit) ?? readBody(req, limit),
  };
}
