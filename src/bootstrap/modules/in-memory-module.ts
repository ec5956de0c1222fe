import { ContainerModule } from 'inversify';
import { InMemoryApiKeys, type ApiKeyEntry } from '../../adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../adapters/in-memory/in-memory-pet-catalogue.js';
import { TOKENS } from '../tokens.js';

/**
 * Binds a catalogue in memory.
 *
 * @param keys The active API keys. If given, the module also binds the API keys and their registry in memory.
 */
export function inMemoryModule(keys?: readonly ApiKeyEntry[]): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue)
      .toResolvedValue(() => new InMemoryPetCatalogue())
      .inSingletonScope();
    if (keys === undefined) return;
    bind(InMemoryApiKeys)
      .toResolvedValue(() => new InMemoryApiKeys(keys))
      .inSingletonScope();
    bind(TOKENS.apiKeys).toService(InMemoryApiKeys);
    bind(TOKENS.apiKeyRegistry).toService(InMemoryApiKeys);
  });
}
