import { animal } from '../../animals.js';
import { load } from './animal-store.js';

/** A log that tells only what went wrong. */
export const SILENT = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };

/** An animal store in memory, with this many animals. */
export async function openStore(count) {
  const { createAnimalStore } = await load('animal-store');
  const { InMemoryPetCatalogue } = await load('animal-store/in-memory');
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  for (let number = 1; number <= count; number++) await store.createPet(animal(number));
  return store;
}

/** The API keys that are accepted, in memory. */
export async function apiKeysOf(keys) {
  const { InMemoryApiKeys } = await load('animal-store/in-memory');
  return new InMemoryApiKeys(keys.map((key, i) => ({ name: `client-${i}`, key })));
}
