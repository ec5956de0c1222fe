import type { ServiceIdentifier } from 'inversify';
import type { HttpInterfaceOptions } from '../adapters/http/http-interface-options.js';
import type { RequestHandler } from '../adapters/http/server/http-server.js';
import type { RateLimiter } from '../adapters/http/pipeline/rate-limit.js';
import type { AnimalStore } from '../application/animal-store.js';
import type { ApiKeyManager } from '../application/api-keys/api-key-manager.js';
import type { ApiKeyRegistry, ApiKeys } from '../domain/api-keys/api-keys.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';

/** In the global registry of symbols: the same in every copy of this package. */
export function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol.for(`animal-store.${name}`);
}

/** Tells whether something is ready. If it rejects, or takes longer than two seconds, it is not, and the log has the reason. */
export type ReadinessCheck = () => boolean | Promise<boolean>;

/** Measures the calls to the driven ports of any adapter. Bound if metrics are on. */
export interface StoreMeter {
  /** Returns the same catalogue, but measures its calls. */
  measureCatalogue(catalogue: PetCatalogue): PetCatalogue;
  /** Returns the same keys, but measures their look-ups. */
  measureApiKeys(apiKeys: ApiKeys): ApiKeys;
}

/** The identifiers that the modules bind, each with the type of its binding. You may rebind any of them. */
export const TOKENS = {
  /** The driven port that stores the animals. A storage module binds it. */
  petCatalogue: token<PetCatalogue>('PetCatalogue'),
  /** The driven port that verifies API keys. A storage module may bind it. */
  apiKeys: token<ApiKeys>('ApiKeys'),
  /** The driven port that stores the records of API keys, for `animal-store keys`. A storage module may bind it. */
  apiKeyRegistry: token<ApiKeyRegistry>('ApiKeyRegistry'),
  /**
   * Whether the storage is ready, beside a list that `httpModule` asks it for. A storage module may bind it. It is called at most once
   * a second.
   */
  isReady: token<ReadinessCheck>('IsReady'),
  /** Measures the calls to the catalogue and the keys. The server binds it if metrics are on. Optional. */
  storeMeter: token<StoreMeter>('StoreMeter'),
  /** Limits the requests of each key. To limit several processes together, bind a limiter that they share. Optional. */
  rateLimiter: token<RateLimiter>('RateLimiter'),
  /** The driving port: everything that an animal store does. */
  animalStore: token<AnimalStore>('AnimalStore'),
  /** The driving port that issues, lists, rotates and revokes API keys. It needs a registry of keys. */
  apiKeyManager: token<ApiKeyManager>('ApiKeyManager'),
  /** The options of a transport: `createApp`, `createFetchHandler` and `createHttpInterface` take them. */
  httpOptions: token<HttpInterfaceOptions>('HttpOptions'),
  /** The transport: any `(request, response)` handler. By default, the Koa application's. */
  requestHandler: token<RequestHandler>('RequestHandler'),
} as const;
