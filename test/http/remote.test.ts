import { pino } from 'pino';
import { remoteModule } from '../../src/bootstrap/modules/remote-module.js';
import { startServer, type RunningServer, type StartConfig } from '../../src/bootstrap/server.js';
import { endWithFile } from '../support/cleanup.js';
import { PATIENT } from '../support/patience.js';
import { declareHttpSuite } from './http-suite.js';
import type { Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';
const KEY_BEHIND = 'the-key-of-the-service-behind';

/** A gateway: a server whose store is another server, which has the store in memory. */
async function startGateway(): Promise<Service> {
  let log = '';
  const logger = pino({ level: 'warn' }, { write: (line: string) => void (log += line) });

  async function start(config: StartConfig): Promise<RunningServer> {
    const server = await startServer({ host: '127.0.0.1', port: 0, shutdownTimeout: 1000, ...config }, logger);
    endWithFile(async () => server.close());
    return server;
  }

  const behind = await start({ apiKeys: [{ name: 'gateway', key: KEY_BEHIND }] });
  const url = `${behind.origin}${behind.basePath}`;
  const store = remoteModule({ ...PATIENT, url, apiKey: KEY_BEHIND });
  const gateway = await start({ store, apiKeys: [{ name: 'tests', key: KEY }] });
  return {
    port: Number(new URL(gateway.origin).port),
    mountPath: '',
    basePath: gateway.basePath,
    keepsTargets: true,
    key: KEY,
    get log() {
      return log;
    },
  };
}

declareHttpSuite('HTTP by a gateway to another animal store', startGateway);
