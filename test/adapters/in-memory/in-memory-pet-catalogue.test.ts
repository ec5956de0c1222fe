import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';

describe('InMemoryPetCatalogue', () => {
  verifyPetCatalogueContract({ createCatalogue: () => new InMemoryPetCatalogue() });
});
