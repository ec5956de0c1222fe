import type { MongoClient } from '../adapters/mongodb/mongodb-client.js';
import type { MongoObserver } from '../adapters/mongodb/operations.js';
import type { ApiKeys } from '../domain/api-keys.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';

/** Measures the storage, whichever it is. It is bound if metrics are on. */
export interface StorageMeter {
  /** The same catalogue, whose calls are measured. */
  measureCatalogue(catalogue: PetCatalogue): PetCatalogue;
  /** The same keys, whose look-ups are measured. */
  measureApiKeys(apiKeys: ApiKeys): ApiKeys;
  /** Is told of every operation on MongoDB. */
  readonly onMongoOperation: MongoObserver;
  /** Measures the connection pool of a client that is not connected yet. */
  watchMongoClient(client: MongoClient): void;
}
