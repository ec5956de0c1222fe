import { ContainerModule } from 'inversify';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { StorageContext } from '../../../src/bootstrap/index.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';

/** The path of this file, for `--store`. */
export const STORE = import.meta.filename;

interface Kept {
  /** The catalogues by the variable `ZOO`. */
  readonly zoos: Map<string, PetCatalogue>;
  apiKeys: InMemoryApiKeys;
  /** What the module was made with, each time. */
  readonly contexts: StorageContext[];
  /** How often the registry of keys was closed. */
  closings: number;
}

/** What the store keeps from one command to the next. */
export const kept: Kept = { zoos: new Map(), apiKeys: new InMemoryApiKeys(), contexts: [], closings: 0 };

/** A custom store in memory, for tests that run commands in their own process: it outlives them. */
export default (context: StorageContext): ContainerModule => {
  const { zoos, apiKeys, contexts } = kept;
  contexts.push(context);
  const name = context.env['ZOO'] ?? '';
  const catalogue = zoos.get(name) ?? new InMemoryPetCatalogue();
  zoos.set(name, catalogue);
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toConstantValue(catalogue);
    bind(TOKENS.apiKeys).toConstantValue(apiKeys);
    bind(TOKENS.apiKeyRegistry)
      .toResolvedValue(() => apiKeys)
      .inSingletonScope()
      .onDeactivation(() => void kept.closings++);
  });
};
