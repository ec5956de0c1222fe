import { expect } from 'chai';
import type { Db } from 'mongodb';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import {
  makeIndexes,
  API_KEYS_BY_DIGEST,
  missingIndexes,
  INDEXES,
} from '../../../src/adapters/mongodb/schema/indexes.js';
import { plannedChanges } from '../../../src/adapters/mongodb/schema/migration.js';
import { ping } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { PATIENT, PATIENT_MS } from '../../support/patience.js';
import { until } from '../../support/until.js';
import { clientOf } from './client-of.js';
import { Adapters, OPERATION_NAMES, OPERATIONS } from './operations.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

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
  let server: DatalessMongodb;
  let db: Db;

  beforeEach(async () => {
    server = await startDatalessMongodb();
    server.stepUp();
  });

  async function connect(query: string): Promise<void> {
    const client = clientOf(server, { ...PATIENT, query });
    await client.connect();
    // Reads int64 as the adapter must not, so that no operation may rely on the options of the client or the database.
    db = client.db('zoo', { useBigInt64: true });
    await ping(db, PATIENT_MS);
  }

  /** Whether the operation succeeds. The driver may notice only by it that a connection is lost. */
  async function isAnswered(operation: Promise<unknown>): Promise<boolean> {
    return operation.then(
      () => true,
      () => false,
    );
  }

  async function stepDownDuring(operate: (db: Db) => Promise<unknown>): Promise<void> {
    server.stepDown();
    // How it ends, this server without data does not tell.
    const ended = isAnswered(operate(db));
    await once(db.client, 'serverHeartbeatStarted');
    server.stepUp();
    await ended;
    expect(await new MongoPetCatalogue(db, PATIENT).find(1n)).to.equal(undefined);
  }

  for (const [what, operate] of Object.entries(ALL)) {
    it(`does not end the process by its answer to ${what}`, async () => {
      await connect('replicaSet=rs0&minHeartbeatFrequencyMS=50');
      await stepDownDuring(operate);
    });
  }

  for (const ms of [0, 400]) {
    it(`does not end the process ${ms} ms after the client has connected`, async () => {
      await connect('replicaSet=rs0');
      await delay(ms);
      await stepDownDuring(async () => new MongoApiKeyRegistry(db, PATIENT).list({ limit: 1 }));
    });

    it(`does not end the process ${ms} ms after the client has connected again`, async () => {
      await connect('replicaSet=rs0');
      const connected = once(db.client, 'serverHeartbeatSucceeded');
      server.reset();
      await connected;
      await until(async () => isAnswered(ping(db, PATIENT_MS)));
      await delay(ms);
      await stepDownDuring(async () => new MongoPetCatalogue(db, PATIENT).add(REX));
    });
  }
});
