import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { remoteOf, verifyAtALook } from './serve-catalogue.js';
import { PATIENT } from '../../support/patience.js';

describe('RemotePetCatalogue on the MongoDB store', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();

  verifyAtALook(async () => {
    const catalogue = new MongoPetCatalogue(mongodb.createDatabase(), PATIENT);
    await catalogue.init();
    return remoteOf(catalogue);
  });
});
