import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
import { createHttpServer, type RequestHandler } from '../../src/adapters/http/server/http-server.js';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import type { Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

/** Serves an interface on an in-memory store by a handler of this transport, as a service of the suite. */
export async function serveInMemory(
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
