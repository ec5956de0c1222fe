import { expect } from 'chai';
import type { Db } from 'mongodb';
import { once } from 'node:events';
import {
  makeIndexes,
  API_KEYS_BY_DIGEST,
  missingIndexes,
  INDEXES,
} from '../../../src/adapters/mongodb/schema/indexes.js';
import { plannedChanges } from '../../../src/adapters/mongodb/schema/migration.js';
import { ping } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { PATIENT, PATIENT_MS } from '../../support/patience.js';
import { clientOf } from './client-of.js';
import { Adapters, OPERATION_NAMES, OPERATIONS } from './operations.js';

/** Everything that the adapter does but the ping, which a secondary answers; each gets the error of a primary that has stepped down. */
const ALL: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
  ...Object.fromEntries(
    OPERATION_NAMES.map((name) => [name, async (db: Db) => OPERATIONS[name](new Adapters(db, PATIENT))]),
  ),
  'a check of the indexes': async (db) => missingIndexes(db, INDEXES),
  'a new index': async (db) => makeIndexes(db, [API_KEYS_BY_DIGEST]),
  'a check of the validators': async (db) => plannedChanges(db, { validate: true }),
};

/**
 * A step-down that an operation learns of before the monitoring does. The driver then keeps the `topologyVersion` of the error
 * for its next check, which runs in a timer: an error that it throws there ends the process, and here the test.
 */
describe('a primary that steps down', function () {
  this.timeout(180_000);

  for (const [what, operate] of Object.entries(ALL)) {
    it(`does not end the process by its answer to ${what}`, async () => {
      const server = await startDatalessMongodb();
      server.stepUp();
      const client = clientOf(server, { ...PATIENT, query: 'replicaSet=rs0&minHeartbeatFrequencyMS=50' });
      await client.connect();
      // Reads int64 as the adapter must not, so that no operation may rely on the options of the client or the database.
      const db = client.db('zoo', { useBigInt64: true });
      await ping(db, PATIENT_MS);
      server.stepDown();
      // How it ends, this server without data does not tell. The driver may notice only by it that a connection is lost.
      const ended = Promise.allSettled([operate(db)]);
      await once(client, 'serverHeartbeatStarted');
      server.stepUp();
      await ended;
      expect(await new MongoPetCatalogue(db, PATIENT).find(1n)).to.equal(undefined);
    });
  }
});
