import Router from '@koa/router';
import type Koa from 'koa';
import type { Middleware } from 'koa';
import { isListField } from '../answer.js';
import type { HttpInterfaceOptions } from '../http-interface-options.js';
import { createHttpInterface } from '../http-interface.js';
import { consoleLog } from '../log.js';
import { createListener } from '../node/listener.js';
import type { HttpHandler } from '../operation.js';
import { parseTarget } from '../target.js';
import { DirectApp } from './direct-app.js';
import { httpRequestOf } from './koa-request.js';

/** Options of {@link createApp}. */
export type AppOptions = HttpInterfaceOptions;

/**
 * Creates a Koa application that serves an animal store over HTTP. It can listen by itself, or be mounted in another
 * application.
 *
 * @throws TypeError for an invalid option, such as a base path or a body limit.
 * @example
 * createApp({ store, apiKeys }).listen(3000, '127.0.0.1');
 */
export function createApp(options: AppOptions): Koa {
  const http = createHttpInterface(options);

  const router = new Router({ sensitive: true, strict: true });
  for (const { method, path, answer } of http.routes) router.register(path, [method], middleware(answer));

  const app = new DirectApp(createListener(http), [
    inOriginForm(middleware(http.answerBadTarget)),
    router.routes() as Middleware,
    middleware(http.answerUnrouted),
  ]);
  const { log = consoleLog } = options;
  app.on('error', (err: Error) => log.error({ err }, 'an answer failed'));
  return app;
}

/**
 * Rewrites every target to origin form, the only form that a router understands. Calls `refuse` if the target is not a path.
 */
function inOriginForm(refuse: Middleware): Middleware {
  return async (ctx, next) => {
    const target = parseTarget(ctx.url);
    if (target !== undefined && !ctx.url.startsWith('/')) {
      ctx.url = target.query === '' ? target.path : `${target.path}?${target.query}`;
    }
    await (target === undefined ? refuse(ctx, next) : next());
  };
}

/** Creates the middleware that passes requests to the interface. */
function middleware(answer: HttpHandler): Middleware {
  return async (ctx) => {
    const { status, headers, body } = await answer(httpRequestOf(ctx));
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
