import { ContainerModule } from 'inversify';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';

const LEAK_BYTES = 65_536;

/** A store that never lets go of what a listing has used: an endurance run must notice it. */
export default new ContainerModule(({ bind }) => {
  const leaked: object[] = [];
  bind(TOKENS.petCatalogue).toConstantValue(
    new (class extends InMemoryPetCatalogue {
      override async list(...args: Parameters<InMemoryPetCatalogue['list']>): ReturnType<InMemoryPetCatalogue['list']> {
        leaked.push(new Array<number>(LEAK_BYTES / 8).fill(leaked.length + 0.5));
        return super.list(...args);
      }
    })(),
  );
});
