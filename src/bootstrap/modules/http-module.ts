import { ContainerModule } from 'inversify';
import type { HttpInterfaceOptions } from '../../adapters/http/http-interface.js';
import type { RateLimiter } from '../../adapters/http/guards/rate-limit.js';
import { InMemoryApiKeys, type ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import type { AnimalStore } from '../../application/animal-store.js';
import type { ApiKeys } from '../../domain/api-keys/api-keys.js';
import { TOKENS, type ReadinessCheck, type StoreMeter } from '../tokens.js';

/** The options of {@link httpModule}: those of the HTTP interface that are not bound, and more keys. */
export interface HttpModuleOptions extends Omit<HttpInterfaceOptions, 'store' | 'apiKeys' | 'rateLimiter'> {
  /** Keys that are accepted beside those of `TOKENS.apiKeys`. @default none */
  readonly moreKeys?: readonly ApiKeyEntry[];
}

/** Binds the options of the HTTP interface, on the animal store, the API keys and the rate limiter that are bound. */
export function httpModule({
  moreKeys = [],
  isReady = () => true,
  ...options
}: HttpModuleOptions = {}): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.httpOptions)
      .toResolvedValue(
        (
          store: AnimalStore,
          boundKeys: ApiKeys,
          isStorageReady: ReadinessCheck | undefined,
          rateLimiter: RateLimiter | undefined,
          meter: StoreMeter | undefined,
        ) => {
          // A look-up in memory is not a call of the store, and takes less time than its measurement.
          const isInMemory = boundKeys instanceof InMemoryApiKeys;
          const apiKeys = isInMemory || meter === undefined ? boundKeys : meter.measureApiKeys(boundKeys);
          return {
            ...options,
            store,
            rateLimiter,
            apiKeys: moreKeys.length === 0 ? apiKeys : joined(new InMemoryApiKeys(moreKeys), apiKeys),
            isReady: async () => (await isReady()) && (isStorageReady === undefined || (await isStorageReady())),
          };
        },
        [
          TOKENS.animalStore,
          TOKENS.apiKeys,
          { serviceIdentifier: TOKENS.isReady, optional: true },
          { serviceIdentifier: TOKENS.rateLimiter, optional: true },
          { serviceIdentifier: TOKENS.storeMeter, optional: true },
        ],
      )
      .inSingletonScope();
  });
}

/** Accepts the keys of both, and asks the second only for a key that the first does not accept. */
function joined(first: ApiKeys, second: ApiKeys): ApiKeys {
  return { verify: async (key) => (await first.verify(key)) ?? second.verify(key) };
}
