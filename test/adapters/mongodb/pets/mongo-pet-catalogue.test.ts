import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../../contracts/pet-catalogue-contract.js';
import { useMongodb } from '../../../support/use-mongodb.js';

describe('MongoPetCatalogue', () => {
  const mongodb = useMongodb();

  verifyPetCatalogueContract({
    addOnce: true,
    createCatalogue: async () => {
      const catalogue = new MongoPetCatalogue(mongodb.createDatabase());
      await catalogue.init();
      return catalogue;
    },
  });
});
