import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { remoteOf, TRANSPORTS } from './serve-catalogue.js';

// remote-pet-catalogue.test.ts has the same on the SQLite store, which not every Node has.
for (const transport of Object.keys(TRANSPORTS)) {
  describe(`RemotePetCatalogue over the transport ${transport}`, function () {
    this.timeout(60_000);

    describe('on the store in memory', () => {
      verifyPetCatalogueContract({
        createCatalogue: async () => remoteOf(new InMemoryPetCatalogue(), { transport }),
        addOnce: true,
      });
    });

    describe('on the MongoDB store', () => {
      const mongodb = useMongodb();

      verifyPetCatalogueContract({
        createCatalogue: async () => {
          const catalogue = new MongoPetCatalogue(mongodb.createDatabase());
          await catalogue.init();
          return remoteOf(catalogue, { transport });
        },
        addOnce: true,
      });
    });
  });
}
