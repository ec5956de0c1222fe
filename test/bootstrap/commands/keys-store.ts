import { ContainerModule } from 'inversify';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { StorageContext } from '../../../src/bootstrap/index.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';

/** The path of this file, for `--store`. */
export const STORE = import.meta.filename;

interface State {
  readonly apiKeys: InMemoryApiKeys;
  /** An entry for each time that the store was closed. */
  readonly closings: string[];
  /** What the module was made with, each time. */
  readonly contexts: StorageContext[];
}

/** What the store keeps from one command to the next. It is global, because the command loads a copy of this file. */
export const { apiKeys, closings, contexts }: State = ((globalThis as { animalStoreKeys?: State }).animalStoreKeys ??= {
  apiKeys: new InMemoryApiKeys(),
  closings: [],
  contexts: [],
});

/** A custom store in memory. It is for tests that run a command in their own process. */
export default (context: StorageContext): ContainerModule => {
  contexts.push(context);
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(new InMemoryPetCatalogue());
    bind(TOKENS.apiKeys).toConstantValue(apiKeys);
    bind(TOKENS.apiKeyRegistry)
      .toResolvedValue(() => apiKeys)
      .inSingletonScope()
      .onDeactivation(() => void closings.push('closed'));
  });
};
