import process from 'node:process';
import { animal } from '../animals.js';
import { load } from './parts/animal-store.js';

/**
 * Animal Store as `animal-store serve` runs it, with what `OBSERVED` says, a JSON object: the log, the metrics, another store
 * than animals in memory.
 */
export async function start({ count, keys }) {
  const { startServer, TOKENS } = await load('animal-store/bootstrap');
  const { InMemoryPetCatalogue } = await load('animal-store/in-memory');
  const { createAnimalStore } = await load('animal-store');
  const catalogue = new InMemoryPetCatalogue();
  const { createPet } = createAnimalStore({ catalogue });
  for (let number = 1; number <= count; number++) await createPet(animal(number));
  // The server knows a module by its shape, so the benchmarks need no copy of Inversify.
  const store = { load: async ({ bind }) => void bind(TOKENS.petCatalogue).toConstantValue(catalogue) };
  const server = await startServer({
    port: 0,
    store,
    apiKeys: keys.map((key, i) => ({ name: `client-${i}`, key })),
    ...JSON.parse(process.env['OBSERVED'] ?? '{}'),
  });
  return Number(new URL(server.origin).port);
}
