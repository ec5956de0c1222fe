import { ContainerModule } from 'inversify';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { StorageContext } from '../../../src/bootstrap/index.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';

/** The path of this file, for `--store`. */
export const STORE = import.meta.filename;

/** The catalogues by the variable `ZOO`. The map is global, because the command loads a copy of this file. */
export const zoos: Map<string, PetCatalogue> = ((
  globalThis as { animalStoreZoos?: Map<string, PetCatalogue> }
).animalStoreZoos ??= new Map());

/** A custom store in memory, for tests that run commands in their own process: it outlives them. */
export default ({ env }: StorageContext): ContainerModule => {
  const name = env['ZOO'] ?? '';
  const catalogue = zoos.get(name) ?? new InMemoryPetCatalogue();
  zoos.set(name, catalogue);
  return new ContainerModule(({ bind }) => void bind(TOKENS.petCatalogue).toConstantValue(catalogue));
};
