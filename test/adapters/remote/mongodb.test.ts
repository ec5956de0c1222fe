import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { remoteOf } from './serve-catalogue.js';
import { PATIENT } from '../../support/patience.js';

describe('RemotePetCatalogue on the MongoDB store', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();

  verifyPetCatalogueContract({
    createCatalogue: async () => {
      const catalogue = new MongoPetCatalogue(mongodb.createDatabase(), PATIENT);
      await catalogue.init();
      return remoteOf(catalogue);
    },
    addOnce: true,
  });
});
