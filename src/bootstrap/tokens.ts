import type { ServiceIdentifier } from 'inversify';
import type { HttpInterfaceOptions } from '../adapters/http/http-interface-options.js';
import type { RequestHandler } from '../adapters/http/server/http-server.js';
import type { RateLimiter } from '../adapters/http/guards/rate-limit.js';
import type { AnimalStore } from '../application/animal-store.js';
import type { ApiKeyManager } from '../application/api-keys/api-key-manager.js';
import type { ApiKeyRegistry, ApiKeys } from '../domain/api-keys/api-keys.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';

/** Makes a typed identifier. It is a symbol of the global registry, the same in every copy of this package. */
export function token<T>(name: string): ServiceIdentifier<T> {
  return Symbol.for(`animal-store.${name}`);
}

/** Tells whether something is ready. It is called at each request for `/readyz`, must be quick, and must not reject. */
export type ReadinessCheck = () => boolean | Promise<boolean>;

/** Measures the calls of the driven ports, whichever adapter is behind them. It is bound if metrics are on. */
export interface StoreMeter {
  /** The same catalogue, whose calls are measured. */
  measureCatalogue(catalogue: PetCatalogue): PetCatalogue;
  /** The same keys, whose look-ups are measured. */
  measureApiKeys(apiKeys: ApiKeys): ApiKeys;
}

/** The identifiers that the modules bind, each typed by what is bound to it. Rebind any of them. */
export const TOKENS = {
  /** The driven port to the animals. A storage module binds it. */
  petCatalogue: token<PetCatalogue>('PetCatalogue'),
  /** The driven port that verifies API keys. A storage module may bind it. */
  apiKeys: token<ApiKeys>('ApiKeys'),
  /** The driven port that keeps API keys on record, for `animal-store keys`. A storage module may bind it. */
  apiKeyRegistry: token<ApiKeyRegistry>('ApiKeyRegistry'),
  /** Whether the storage answers, as `/readyz` tells. A storage module may bind it; without, it always counts as ready. */
  isReady: token<ReadinessCheck>('IsReady'),
  /** Measures the calls of the catalogue and the keys. The server binds it if metrics are on. Optional. */
  storeMeter: token<StoreMeter>('StoreMeter'),
  /** Limits the requests of each key. Bind one that several processes share, to limit them together. Optional. */
  rateLimiter: token<RateLimiter>('RateLimiter'),
  /** The driving port to the animals. */
  animalStore: token<AnimalStore>('AnimalStore'),
  /** The driving port that issues, lists, rotates and revokes API keys. It needs a registry of keys. */
  apiKeyManager: token<ApiKeyManager>('ApiKeyManager'),
  /** All that a transport needs: `createApp`, `createFetchHandler` and `createHttpInterface` take it. */
  httpOptions: token<HttpInterfaceOptions>('HttpOptions'),
  /** The transport: any `(request, response)` handler. By default, the Koa application's. */
  requestHandler: token<RequestHandler>('RequestHandler'),
} as const;
