import { MongoApiKeyRegistry } from '../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { LEASES_ENDED_MS } from '../../src/adapters/mongodb/pets/pet-id-counter.js';
import { databaseNameOf } from '../../src/adapters/mongodb/mongodb-url.js';
import type { Environment } from '../support/child.js';
import { PATIENT, PATIENT_MS } from '../support/patience.js';
import { usePrivateServer, withDatabase } from '../support/use-mongodb.js';
import { verifyKilledMoves } from './killed-moves.js';

describe('animal-store import and restore on MongoDB, killed at any moment and run again', function () {
  this.timeout(300_000);
  const { server, createClient } = usePrivateServer();

  it('stores each line once, assigns no id twice, and moves each key and creation of the old store, while the database stops and pauses', async () => {
    const client = createClient();
    const storeIn = (name: string): Environment => ({
      STORE: 'mongodb',
      MONGODB_URL: withDatabase(server().url, name),
      MONGODB_DEADLINE: String(PATIENT_MS),
    });
    await verifyKilledMoves({
      stores: [storeIn('old'), storeIn('new')],
      count: 4000,
      restoreWaitsMs: LEASES_ENDED_MS,
      async open({ MONGODB_URL = '' }) {
        const db = client.db(databaseNameOf(MONGODB_URL));
        const catalogue = new MongoPetCatalogue(db, PATIENT);
        const registry = new MongoApiKeyRegistry(db, PATIENT);
        await catalogue.init();
        await registry.init();
        return { catalogue, registry, apiKeys: new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS }) };
      },
      async disturb(kill) {
        if (kill % 2 === 0) {
          await server().stop();
          await server().start();
        } else {
          await server().pause();
          server().resume();
        }
      },
    });
  });
});
