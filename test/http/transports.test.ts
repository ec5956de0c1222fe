import { getRequestListener } from '@hono/node-server';
import Koa from 'koa';
import mount from 'koa-mount';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import { createHttpInterface } from '../../src/adapters/http/http-interface.js';
import { createApp } from '../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../src/adapters/http/node/listener.js';
import { declareHttpSuite, SERVER, TRANSPORT } from './http-suite.js';
import { serveInMemory } from './serve-in-memory.js';

declareHttpSuite(
  'HTTP by the listener on Node',
  async () =>
    serveInMemory((options) => createListener(createHttpInterface(options)), { mountPath: '', keepsTargets: true }),
  [...TRANSPORT, ...SERVER],
);

declareHttpSuite(
  'HTTP by the Koa application, mounted in another one',
  async () =>
    serveInMemory((options) => new Koa().use(mount('/shop', createApp(options))).callback(), {
      mountPath: '/shop',
      keepsTargets: true,
    }),
  TRANSPORT,
);

declareHttpSuite(
  'HTTP by the Fetch handler, behind a listener on Node',
  async () =>
    serveInMemory((options) => getRequestListener(createFetchHandler(options)), { mountPath: '', keepsTargets: false }),
  TRANSPORT,
);

declareHttpSuite(
  'HTTP by the Fetch handler, below a path that the listener leaves on',
  async () =>
    serveInMemory((options) => getRequestListener(createFetchHandler({ ...options, mountPath: '/shop' })), {
      mountPath: '/shop',
      keepsTargets: false,
    }),
  TRANSPORT,
);
