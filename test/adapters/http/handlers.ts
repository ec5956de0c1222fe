import type { RequestListener } from 'node:http';
import Koa from 'koa';
import mount from 'koa-mount';
import type { HttpInterfaceOptions } from '../../../src/adapters/http/http-interface-options.js';
import { createHttpInterface } from '../../../src/adapters/http/http-interface.js';
import { createApp } from '../../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../../src/adapters/http/node/listener.js';

/** The transports for the requests of Node. The Koa application passes them to the listener unless anything is around it. */
export const HANDLERS: Readonly<Record<string, (options: HttpInterfaceOptions) => RequestListener>> = {
  'the listener on Node': (options) => createListener(createHttpInterface(options)),
  'the Koa application': (options) => createApp(options).callback(),
  'the Koa application, mounted': (options) => new Koa().use(mount('/', createApp(options))).callback(),
  'the Koa application with additional middleware': (options) =>
    createApp(options)
      .use(async (_ctx, next) => next())
      .callback(),
};
