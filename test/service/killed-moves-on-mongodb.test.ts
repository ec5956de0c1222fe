import { MongoApiKeyRegistry } from '../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../src/adapters/mongodb/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { databaseNameOf } from '../../src/adapters/mongodb/client.js';
import { prepareDatabase } from '../../src/adapters/mongodb/preparation.js';
import type { Environment } from '../support/child.js';
import { PATIENT, PATIENT_MS } from '../support/patience.js';
import { patientApiKeys } from '../support/patient-api-keys.js';
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
      async open({ MONGODB_URL = '' }) {
        const db = client.db(databaseNameOf(MONGODB_URL));
        await prepareDatabase(db);
        return {
          catalogue: new MongoPetCatalogue(db, PATIENT),
          registry: new MongoApiKeyRegistry(db, PATIENT),
          apiKeys: patientApiKeys(new MongoApiKeys(db, PATIENT)),
        };
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
