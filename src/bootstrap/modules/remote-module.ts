import { ContainerModule } from 'inversify';
import { consoleLog, type Log } from '../../adapters/http/pipeline/log.js';
import type { RemotePetCatalogueOptions } from '../../adapters/remote/remote-options.js';
import { RemotePetCatalogue } from '../../adapters/remote/remote-pet-catalogue.js';
import { onceASecond } from '../once-a-second.js';
import { TOKENS } from '../tokens.js';

/** How long the remote service may take to show that it is ready, in milliseconds. */
const READINESS_DEADLINE_MS = 2000;

/** The options of {@link remoteModule}: the service, and the log. */
export interface RemoteModuleOptions extends RemotePetCatalogueOptions {
  /** @default warnings and errors on the console */
  readonly log?: Log | undefined;
}

/**
 * Binds the catalogue of another animal store, which is ready while it answers a list of one animal, asked for at most once a
 * second. Loading the module opens no connection, so a server may start before the other one.
 *
 * @throws TypeError that names the option that breaks its rule.
 * @example
 * await startServer({ store: remoteModule({ url: 'https://animals.example/v1', apiKey }) });
 */
export function remoteModule({ log = consoleLog, ...options }: RemoteModuleOptions): ContainerModule {
  const catalogue = new RemotePetCatalogue(options);
  const probed = new RemotePetCatalogue({ ...options, deadlineMs: READINESS_DEADLINE_MS });

  async function isReady(): Promise<boolean> {
    try {
      await probed.list({ limit: 1 });
      return true;
    } catch (err) {
      log.warn({ err }, 'the remote store is not ready');
      return false;
    }
  }

  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(catalogue);
    bind(TOKENS.isReady).toConstantValue(onceASecond(isReady));
  });
}
