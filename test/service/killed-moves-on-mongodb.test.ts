import { MongoPetCatalogue } from '../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { databaseNameOf } from '../../src/adapters/mongodb/mongodb-url.js';
import { PATIENT } from '../support/patience.js';
import { usePrivateServer, withDatabase } from '../support/use-mongodb.js';
import { verifyKilledMoves } from './killed-moves.js';

describe('animal-store import and restore on MongoDB, killed at any moment and run again', function () {
  this.timeout(300_000);
  const { server, createClient } = usePrivateServer();

  it('stores each line once, assigns no id twice, and replays each creation of the old store, while the database stops and pauses', async () => {
    const client = createClient();
    const storeIn = (name: string): { STORE: string; MONGODB_URL: string } => ({
      STORE: 'mongodb',
      MONGODB_URL: withDatabase(server().url, name),
    });
    await verifyKilledMoves({
      stores: [storeIn('old'), storeIn('new')],
      async open({ MONGODB_URL = '' }) {
        const catalogue = new MongoPetCatalogue(client.db(databaseNameOf(MONGODB_URL)), PATIENT);
        await catalogue.init();
        return catalogue;
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
