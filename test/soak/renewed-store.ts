import { ContainerModule } from 'inversify';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { TOKENS } from '../../src/bootstrap/tokens.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';

/** How many animals are kept before an empty catalogue takes the place of the full one. */
const CAPACITY = 2000;

/** The store of an endurance run: the catalogue in memory, renewed from time to time, so that creations do not fill the memory. */
export default new ContainerModule(({ bind }) => {
  let catalogue = new InMemoryPetCatalogue();
  let size = 0;
  const renewed: PetCatalogue = {
    async add(newPet) {
      if (size++ % CAPACITY === CAPACITY - 1) catalogue = new InMemoryPetCatalogue();
      return catalogue.add(newPet);
    },
    list: async (query) => catalogue.list(query),
    find: async (id) => catalogue.find(id),
  };
  bind(TOKENS.petCatalogue).toConstantValue(renewed);
});
