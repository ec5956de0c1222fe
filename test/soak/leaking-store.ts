import { ContainerModule } from 'inversify';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';

const LEAK_BYTES = 2 * 2 ** 20;
const INTERVAL_MS = 50;
/** After how many leaks it stops, so that the machine of the test keeps enough memory. */
const LEAKS = 150;

/** A store that takes more and more of the heap, and lets nothing go: an endurance run must notice it. */
export default new ContainerModule(({ bind }) => {
  const leaked: object[] = [];
  const timer = setInterval(() => {
    leaked.push(new Array<number>(LEAK_BYTES / 8).fill(leaked.length + 0.5));
    if (leaked.length === LEAKS) clearInterval(timer);
  }, INTERVAL_MS);
  bind(TOKENS.petCatalogue).toConstantValue(new InMemoryPetCatalogue());
});
