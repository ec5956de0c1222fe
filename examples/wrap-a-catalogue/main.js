/** Wraps a catalogue: by hand in front of the core, and by an activation of Inversify in front of the whole server. */
import { createAnimalStore } from 'animal-store';
import { startServer, TOKENS } from 'animal-store/bootstrap';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';
import { ContainerModule } from 'inversify';
import { timedCatalogue } from './timed-catalogue.js';

const tell = (/** @type {string} */ line) => console.log(line);

console.log('by hand');
const store = createAnimalStore({ catalogue: timedCatalogue(new InMemoryPetCatalogue(), tell) });
const { pet } = await store.createPetOnce({ name: 'Rex', categoryId: 7 }, 'order 4711');
await store.getPet(pet.id);

console.log('by onActivation');
const timing = new ContainerModule(({ onActivation }) => {
  onActivation(TOKENS.petCatalogue, (_context, catalogue) => timedCatalogue(catalogue, tell));
});
const server = await startServer({ port: 0, logLevel: 'warn', modules: [timing] });
const response = await fetch(`${server.origin}${server.basePath}/pets`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${server.apiKey}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': 'order-4711',
  },
  body: '{"name":"Rex","categoryId":7}',
});
console.log(response.status, await response.text());
await server.close();
