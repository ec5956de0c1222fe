import { ContainerModule } from 'inversify';
import { InMemoryApiKeys, type ApiKeyEntry } from '../adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../adapters/in-memory/in-memory-pet-catalogue.js';
import { TOKENS } from './tokens.js';

/** Binds an empty catalogue in memory, and the given API keys. */
export function inMemoryModule(keys: readonly ApiKeyEntry[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue)
      .toResolvedValue(() => new InMemoryPetCatalogue())
      .inSingletonScope();
    bind(TOKENS.apiKeys)
      .toResolvedValue(() => new InMemoryApiKeys(keys))
      .inSingletonScope();
  });
}
