import { ContainerModule } from 'inversify';
import { consoleLog, type Log } from '../../adapters/http/pipeline/log.js';
import { checkReadiness } from '../../adapters/remote/readiness.js';
import { checkService } from '../../adapters/remote/remote-options.js';
import { RemotePetCatalogue, type RemotePetCatalogueOptions } from '../../adapters/remote/remote-pet-catalogue.js';
import { onceASecond } from '../once-a-second.js';
import { isHttpUrl } from '../values.js';
import { TOKENS } from '../tokens.js';

/** How long the remote service may take to say whether it is ready, in milliseconds. */
const READINESS_TIMEOUT_MS = 2000;

/** The options of {@link remoteModule}: the service, and the log. */
export interface RemoteModuleOptions extends RemotePetCatalogueOptions {
  /**
   * The readiness URL of the service: http or https, without credentials. The request has no API key.
   * @default `/readyz` at the origin of `url`
   */
  readonly readyUrl?: string | undefined;
  /** @default warnings and errors on the console */
  readonly log?: Log | undefined;
}

/**
 * Binds the catalogue of another animal store, and a readiness check that requests its `/readyz` at most once a second. Loading
 * the module opens no connection, so a server may start before the other one.
 *
 * @throws TypeError that names the option that breaks its rule.
 * @example
 * await startServer({ store: remoteModule({ url: 'https://animals.example/v1', apiKey }) });
 */
export function remoteModule({ readyUrl, log = consoleLog, ...options }: RemoteModuleOptions): ContainerModule {
  const { url, fetch } = checkService(options);
  const address = readyUrl ?? new URL('/readyz', url).href;
  if (!isHttpUrl(address)) throw new TypeError('readyUrl must be an http or https URL without credentials');

  async function isReady(): Promise<boolean> {
    try {
      const status = await checkReadiness(address, fetch, READINESS_TIMEOUT_MS);
      if (status !== 200 && status !== 503) log.warn({ status, readyUrl: address }, 'the remote store is not ready');
      return status === 200;
    } catch (err) {
      log.warn({ err }, 'the readiness of the remote store is unknown');
      return false;
    }
  }

  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue)
      .toResolvedValue(() => new RemotePetCatalogue(options))
      .inSingletonScope();
    bind(TOKENS.isReady)
      .toResolvedValue(() => onceASecond(isReady))
      .inSingletonScope();
  });
}
