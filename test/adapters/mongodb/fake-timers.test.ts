import { expect } from 'chai';
import { mock } from 'node:test';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { PATIENT } from '../../support/patience.js';
import { useMongodb } from '../../support/use-mongodb.js';

describe('the MongoDB adapter under the fake timers of a test', () => {
  const mongodb = useMongodb();

  it('settles without a tick of the clock: its timers are deadlines', async () => {
    const db = mongodb.createDatabase();
    const catalogue = new MongoPetCatalogue(db, PATIENT);
    await catalogue.init();
    const { key } = await apiKeyManagerOf(new MongoApiKeyRegistry(db, PATIENT)).issue({ name: 'anna' });
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate'] });
    try {
      const pet = await catalogue.add({ name: 'Rex', categoryId: 7n });
      expect(await catalogue.find(pet.id)).to.deep.equal(pet);
      expect(await catalogue.list({ limit: 1 })).to.deep.equal({ pets: [pet] });
      const once = await catalogue.addOnce({ name: 'Tom', categoryId: 7n }, 'a key');
      expect(await catalogue.addOnce({ name: 'Tom', categoryId: 7n }, 'a key')).to.deep.equal({
        pet: once.pet,
        replayed: true,
      });
      expect(await new MongoApiKeys(db, PATIENT).verify(key)).to.deep.equal({ name: 'anna' });
    } finally {
      mock.timers.reset();
    }
  });
});
