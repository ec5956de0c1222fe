import { ContainerModule } from 'inversify';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';

const LEAK_BYTES = 8 * 2 ** 20;

/**
 * A store that takes more of the heap and lets nothing go: an endurance run must notice it. It does so at the signal by
 * which the run measures the server, so that it leaks between any two samples, however slow the machine is.
 */
export default new ContainerModule(({ bind }) => {
  const leaked: object[] = [];
  process.on('SIGUSR2', () => leaked.push(new Array<number>(LEAK_BYTES / 8).fill(leaked.length + 0.5)));
  bind(TOKENS.petCatalogue).toConstantValue(new InMemoryPetCatalogue());
});
