import type { Socket } from 'node:net';
import type { Context } from 'koa';
import { connectionSignal, rawHeadersOf, type ExpressRequest } from '../node/node-request.js';
import { readBody } from '../node/read-body.js';
import type { HttpRequest } from '../pipeline/http-request.js';
import { mountPathOf } from '../pipeline/target.js';

/** The request of Koa's context. Does not use Koa's `path` and `querystring`, which throw, or make Node warn, for a malformed URL. */
export function httpRequestOf(ctx: Context): HttpRequest {
  const { method, url, req, request } = ctx;
  const { originalUrl = ctx.originalUrl } = req as ExpressRequest;
  const { socket } = req as { readonly socket?: Socket | null };
  return {
    method,
    target: url,
    rawHeaders: rawHeadersOf(req),
    mountPath: mountPathOf(originalUrl, url),
    // Koa's own `ip` throws for an injected request that has no socket.
    remoteAddress: socket ? ctx.ip : ctx.ips[0],
    get signal() {
      return connectionSignal(socket);
    },
    readBody: (limit) => readBody(req, limit, [request, req]),
  };
}
