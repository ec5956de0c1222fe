import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import type { HttpInterfaceOptions } from '../http-interface-options.js';
import { createHttpInterface } from '../http-interface.js';
import { createListener } from '../node/listener.js';
import { isListField } from '../pipeline/http-response.js';
import { consoleLog, safeLog } from '../pipeline/log.js';
import type { HttpHandler } from '../pipeline/pipeline.js';
import { DirectApp } from './direct-app.js';
import { httpRequestOf } from './koa-request.js';

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
  for (const { method, path, respond } of http.routes) router.register(path, [method], middleware(respond));
  const routed = router.routes() as Middleware;

  const app = new DirectApp(createListener(http), [
    // The router understands no other form of a target than a path.
    async (ctx, next) => {
      await (ctx.url.startsWith('/') ? routed(ctx, next) : next());
    },
    middleware(http.respond),
  ]);
  const log = safeLog(options.log ?? consoleLog);
  app.on('error', (err: Error) => log.error({ err }, 'a response failed'));
  return app;
}

/** Creates the middleware that passes requests to the interface. */
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
