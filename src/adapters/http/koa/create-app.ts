import type { Socket } from 'node:net';
import Router from '@koa/router';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { HttpInterfaceOptions } from '../http-interface-options.js';
import { createHttpInterface } from '../http-interface.js';
import { createListener } from '../node/listener.js';
import { connectionSignal, rawHeadersOf, type ExpressRequest } from '../node/node-request.js';
import { readBody } from '../node/read-body.js';
import type { HttpRequest } from '../pipeline/http-request.js';
import { isListField } from '../pipeline/http-response.js';
import { consoleLog, safeLog } from '../pipeline/log.js';
import type { HttpHandler } from '../pipeline/pipeline.js';
import { mountPathOf } from '../pipeline/target.js';
import { DirectApp } from './direct-app.js';

/**
 * Creates a Koa application that serves an animal store over HTTP. It can listen by itself, or be mounted in another
 * application.
 *
 * @throws TypeError for an invalid option, such as a base path or a body limit.
 * @example
 * createApp({ store, apiKeys }).listen(3000, '127.0.0.1');
 */
export function createApp(options: HttpInterfaceOptions): Koa {
  const http = createHttpInterface(options);
  const router = new Router({ sensitive: true, strict: true });
  for (const route of http.routes) router.register(route.path, [route.method], middleware(route.respond));
  const respond = middleware(http.respond);

  const app = new DirectApp(createListener(http), [
    // The router understands no other form of a target than a path.
    async (ctx, next) => {
      await (ctx.url.startsWith('/') ? next() : respond(ctx, next));
    },
    // Agents find the paths of the routes in a member of this function.
    router.routes() as Middleware,
    respond,
  ]);
  const log = safeLog(options.log ?? consoleLog);
  app.on('error', (err: Error) => log.error({ err }, 'a response failed'));
  return app;
}

function middleware(respond: HttpHandler): Middleware {
  return async (ctx) => {
    const { status, headers, body } = await respond(httpRequestOf(ctx));
    ctx.status = status;
    for (let i = 0; i < headers.length; i += 2) {
      const [name, value] = [headers[i] as string, headers[i + 1] as string];
      if (isListField(name)) ctx.append(name, value);
      else ctx.set(name, value);
    }
    // Koa would write bytes as JSON unless they are in a Buffer.
    ctx.body = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.length);
  };
}

/** Does not use Koa's `path` and `querystring`, which throw, or make Node warn, for a malformed URL. */
function httpRequestOf(ctx: Context): HttpRequest {
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
