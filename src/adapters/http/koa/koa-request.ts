import type { Socket } from 'node:net';
import type { Context } from 'koa';
import { connectionSignal } from '../node/connection-signal.js';
import { rawHeadersOf, type ExpressRequest } from '../node/node-request.js';
import { readBody } from '../node/read-body.js';
import type { HttpRequest } from '../request.js';
import { mountPathOf, parseTarget } from '../target.js';

/**
 * The request of Koa's context. Splits its target itself: Koa's own `path` and `querystring` throw, or make Node warn, if
 * the target is a malformed URL.
 */
export function httpRequestOf(ctx: Context): HttpRequest {
  const { method, url, req, request } = ctx;
  const { originalUrl = ctx.originalUrl } = req as ExpressRequest;
  const { socket } = req as { readonly socket?: Socket | null };
  const { path, query } = parseTarget(url) ?? { path: url, query: '' };
  return {
    method,
    path,
    query,
    rawHeaders: rawHeadersOf(req),
    mountPath: mountPathOf(originalUrl, path),
    // Koa's own `ip` throws for an injected request that has no socket.
    remoteAddress: socket ? ctx.ip : ctx.ips[0],
    get signal() {
      return connectionSignal(socket);
    },
    readBody: (limit) => readBody(req, limit, [request, req]),
  };
}
