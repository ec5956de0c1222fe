import { ContainerModule } from 'inversify';
import type { ApiKeys } from '../domain/api-keys.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';
import { TOKENS } from './tokens.js';

/** What {@link mongodbModule} binds. */
export interface MongodbModuleOptions {
  /** A `MongoPetCatalogue` whose `init` has run. */
  readonly catalogue: PetCatalogue;
  /** A `MongoApiKeys` whose `init` has run, or keys that ask one. */
  readonly apiKeys: ApiKeys;
}

/**
 * Binds the catalogue and the API keys of a MongoDB database. They are made, and their client is closed, by whoever calls
 * this, so that the driver is loaded for those alone who use it.
 */
export function mongodbModule({ catalogue, apiKeys }: MongodbModuleOptions): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(catalogue);
    bind(TOKENS.apiKeys).toConstantValue(apiKeys);
  });
}
