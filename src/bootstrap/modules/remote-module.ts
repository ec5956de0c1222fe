import { ContainerModule } from 'inversify';
import { askReadiness } from '../../adapters/remote/readiness.js';
import { checkService } from '../../adapters/remote/remote-options.js';
import { RemotePetCatalogue, type RemotePetCatalogueOptions } from '../../adapters/remote/remote-pet-catalogue.js';
import { consoleStorageLog, type StorageLog } from '../log/log.js';
import { TOKENS } from '../tokens.js';
import { cachedReadiness } from './cached-readiness.js';

/** How long the remote service may take to say whether it is ready, in milliseconds. */
const READINESS_TIMEOUT_MS = 2000;

/** Which service {@link remoteModule} binds, and where it logs. */
export interface RemoteModuleOptions extends RemotePetCatalogueOptions {
  /**
   * Where the service says whether it is ready: http or https, without credentials. It is asked without the API key.
   * @default `/readyz` at the origin of `url`
   */
  readonly readyUrl?: string | undefined;
  /** @default warnings and errors on the console */
  readonly log?: StorageLog | undefined;
}

/**
 * Binds the catalogue of another animal store, and a check of readiness that asks for its `/readyz`, once a second at most. It
 * connects to nothing when it is loaded, so that a server may start before the other one.
 *
 * @throws TypeError that names the option that breaks its rule.
 * @example
 * await startServer({ store: remoteModule({ url: 'https://animals.example/v1', apiKey }) });
 */
export function remoteModule({ readyUrl, log = consoleStorageLog, ...options }: RemoteModuleOptions): ContainerModule {
  const { url, fetch } = checkService(options);
  if (readyUrl !== undefined && !isPlainUrl(readyUrl)) {
    throw new TypeError('readyUrl must be an http or https URL without credentials');
  }
  const address = readyUrl ?? new URL('/readyz', url).href;

  async function isReady(): Promise<boolean> {
    try {
      const status = await askReadiness(address, fetch, READINESS_TIMEOUT_MS);
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
      .toResolvedValue(() => cachedReadiness(isReady))
      .inSingletonScope();
  });
}

/** Whether a URL may stand in the log. */
function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
