import Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { HttpAnswer } from '../answer.js';
import { createHttpInterface, type HttpInterfaceOptions } from '../http-interface.js';
import { consoleLog } from '../log.js';
import { send } from '../node/send.js';
import type { Answering } from '../operation.js';
import { AnsweringApp } from './answering-app.js';
import { koaRequest } from './koa-request.js';
import { inOriginForm } from './origin-form.js';
import { routeIndex } from './route-index.js';

/** What {@link createApp} needs. */
export type AppOptions = HttpInterfaceOptions;

/**
 * Makes the Koa application that serves an animal store over HTTP: to listen with, or to mount in another application.
 *
 * @throws TypeError for a base path or a body limit that is not as the options say.
 * @example
 * createApp({ store, apiKeys }).listen(3000, '127.0.0.1');
 */
export function createApp(options: AppOptions): Koa {
  const { routes, answerUnrouted, answerBadTarget } = createHttpInterface(options);

  const router = new Router({ sensitive: true, strict: true });
  for (const { method, path, answer } of routes) router.register(path, [method], middleware(answer));

  const app = new AnsweringApp([
    inOriginForm(middleware(answerBadTarget)),
    routeIndex(router),
    router.routes() as Middleware,
    middleware(answerUnrouted),
  ]);
  const { log = consoleLog } = options;
  app.on('error', (err: Error) => log.error({ err }, 'an answer failed'));
  return app;
}

/** Koa's middleware that ends a request with an answer of the interface. */
function middleware(answer: Answering): Middleware {
  return async (ctx) => reply(ctx, await answer(koaRequest(ctx)));
}

/** Writes to Node's response if this is the whole application; otherwise leaves the answer to Koa and other middleware. */
function reply(ctx: Context, answer: HttpAnswer): void {
  if (ctx.respond === false) {
    send(ctx.res, answer);
    return;
  }
  const { status, headers, body } = answer;
  ctx.status = status;
  for (let i = 0; i + 1 < headers.length; i += 2) ctx.set(headers[i] as string, headers[i + 1] as string);
  ctx.body = body;
}
