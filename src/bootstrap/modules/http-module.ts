import { ContainerModule } from 'inversify';
import type { HttpInterfaceOptions } from '../../adapters/http/http-interface-options.js';
import type { RateLimiter } from '../../adapters/http/pipeline/rate-limit.js';
import { consoleLog, type Log } from '../../adapters/http/pipeline/log.js';
import { InMemoryApiKeys, type ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import { abortable } from '../../application/abortable.js';
import type { AnimalStore } from '../../application/animal-store.js';
import type { ApiKeys } from '../../domain/api-keys/api-keys.js';
import { onceASecond } from '../once-a-second.js';
import { TOKENS, type ReadinessCheck, type StoreMeter } from '../tokens.js';

/** The options of {@link httpModule}: those of the HTTP interface that are not bound, and additional keys. */
export interface HttpModuleOptions extends Omit<HttpInterfaceOptions, 'store' | 'apiKeys' | 'rateLimiter'> {
  /** Keys that are accepted in addition to those of `TOKENS.apiKeys`, which then need not be bound. @default none */
  readonly moreKeys?: readonly ApiKeyEntry[] | undefined;
}

const READINESS_DEADLINE_MS = 2000;

/**
 * Binds the options of the HTTP interface, with the bound animal store, API keys and rate limiter. The service is ready if `isReady`
 * and `TOKENS.isReady` say so, and the store lists an animal within two seconds. The store is asked at most once a second.
 */
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
          boundKeys: ApiKeys | undefined,
          isStorageReady: ReadinessCheck | undefined,
          rateLimiter: RateLimiter | undefined,
          meter: StoreMeter | undefined,
        ) => {
          const isStoreReady = onceASecond(async () => readinessOf(store, isStorageReady, options.log));
          const measuredKeys = boundKeys && (meter?.measureApiKeys(boundKeys) ?? boundKeys);
          return {
            ...options,
            store,
            rateLimiter,
            apiKeys: allKeys(moreKeys, measuredKeys),
            isReady: async () => (await isReady()) && isStoreReady(),
          };
        },
        [
          TOKENS.animalStore,
          { serviceIdentifier: TOKENS.apiKeys, optional: true },
          { serviceIdentifier: TOKENS.isReady, optional: true },
          { serviceIdentifier: TOKENS.rateLimiter, optional: true },
          { serviceIdentifier: TOKENS.storeMeter, optional: true },
        ],
      )
      .inSingletonScope();
  });
}

async function readinessOf(store: AnimalStore, isReady: ReadinessCheck = () => true, log: Log = consoleLog) {
  const signal = AbortSignal.timeout(READINESS_DEADLINE_MS);
  const ask = async (): Promise<boolean> => {
    if (!(await isReady())) return false;
    await store.listPets({ limit: 1 }, { signal });
    return true;
  };
  try {
    return await abortable(signal, ask, () => new Error(`no answer within ${READINESS_DEADLINE_MS} ms`));
  } catch (err) {
    log.warn({ err }, 'the store is not ready');
    return false;
  }
}

function allKeys(given: readonly ApiKeyEntry[], bound: ApiKeys | undefined): ApiKeys {
  if (bound === undefined) {
    if (given.length === 0) throw new TypeError('TOKENS.apiKeys must be bound, or moreKeys be given');
    return new InMemoryApiKeys(given);
  }
  if (given.length === 0) return bound;
  const first = new InMemoryApiKeys(given);
  return { verify: async (key) => (await first.verify(key)) ?? bound.verify(key) };
}
