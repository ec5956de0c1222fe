import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
import { createHttpServer, type RequestHandler } from '../../src/adapters/http/server/http-server.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import type { Service } from './service.js';

/** Serves an interface on an in-memory store by a handler of this transport, as a service of the suite. */
export async function serveInMemory(
  createHandler: (options: HttpInterfaceOptions) => RequestHandler,
  { mountPath, keepsTargets }: Pick<Service, 'mountPath' | 'keepsTargets'>,
): Promise<Service> {
  let log = '';
  const write = (fields: object, message: string): void => {
    log += `${message} ${JSON.stringify(fields)}\n`;
  };
  const error: typeof write = (fields, message) => write({ ...fields, level: 'error' }, message);
  const port = await listenOnFreePort(createHttpServer(createHandler(inMemory({ log: { warn: write, error } }))));
  return {
    port,
    mountPath,
    basePath: `${mountPath}/v1`,
    key: KEY,
    keepsTargets,
    get log() {
      return log;
    },
  };
}
