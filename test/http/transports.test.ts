import { getRequestListener } from '@hono/node-server';
import Koa from 'koa';
import mount from 'koa-mount';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import { createHttpInterface, type HttpInterfaceOptions } from '../../src/adapters/http/http-interface.js';
import { createApp } from '../../src/adapters/http/koa/create-app.js';
import { createListener } from '../../src/adapters/http/node/listener.js';
import { createHttpServer, type RequestHandler } from '../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { declareHttpSuite, MANY, MEANING, SERVER, STORE, TRANSPORT } from './http-suite.js';
import type { Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

/** Serves an interface on an in-memory store by a handler of this transport, as a service of the suite. */
async function serve(
  createHandler: (options: HttpInterfaceOptions) => RequestHandler,
  { mountPath, keepsTargets }: Pick<Service, 'mountPath' | 'keepsTargets'>,
): Promise<Service> {
  let log = '';
  const write = (fields: object, message: string): void => {
    log += `${message} ${JSON.stringify(fields)}\n`;
  };
  const handler = createHandler({
    store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
    apiKeys: new InMemoryApiKeys([{ name: 'tests', key: KEY }]),
    log: {
      warn: write,
      error: (fields, message) => write({ ...fields, level: 'error' }, message),
    },
  });
  const server = createHttpServer(handler);
  const port = await listenOnFreePort(server);
  return {
    port,
    mountPath,
    basePath: `${mountPath}/v1`,
    key: KEY,
    keepsTargets,
    supportsIdempotencyKey: true,
    get log() {
      return log;
    },
    stop: async () => server.drain(1),
  };
}

declareHttpSuite(
  'HTTP by the listener on Node',
  async () => serve((options) => createListener(createHttpInterface(options)), { mountPath: '', keepsTargets: true }),
  [...TRANSPORT, ...STORE, ...MEANING, ...SERVER],
  MANY,
);

declareHttpSuite(
  'HTTP by the Koa application, mounted in another one',
  async () =>
    serve((options) => new Koa().use(mount('/shop', createApp(options))).callback(), {
      mountPath: '/shop',
      keepsTargets: true,
    }),
  TRANSPORT,
);

declareHttpSuite(
  'HTTP by the Fetch handler, behind a listener on Node',
  async () =>
    serve((options) => getRequestListener(createFetchHandler(options)), { mountPath: '', keepsTargets: false }),
  TRANSPORT,
);

declareHttpSuite(
  'HTTP by the Fetch handler, below a path that the listener leaves on',
  async () =>
    serve((options) => getRequestListener(createFetchHandler({ ...options, mountPath: '/shop' })), {
      mountPath: '/shop',
      keepsTargets: false,
    }),
  TRANSPORT,
);
