import { expect } from 'chai';
import { once } from 'node:events';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { PATIENT } from '../../support/patience.js';
import { clientOf } from './client-of.js';
import { Adapters, OPERATION_NAMES, OPERATIONS } from './operations.js';

/**
 * A step-down that an operation learns of before the monitoring does. The driver then keeps the `topologyVersion` of the error
 * for its next check, which runs in a timer: an error that it throws there ends the process, and here the test.
 */
describe('a primary that steps down', function () {
  this.timeout(180_000);

  for (const name of OPERATION_NAMES) {
    it(`does not end the process by its answer to ${name}`, async () => {
      const server = await startDatalessMongodb();
      server.stepUp();
      const client = clientOf(server, { ...PATIENT, query: 'replicaSet=rs0&minHeartbeatFrequencyMS=50' });
      await client.connect();
      // Reads int64 as the adapter must not, so that no operation may rely on the options of the client or the database.
      const db = client.db('zoo', { useBigInt64: true });
      expect(await db.command({ ping: 1 })).to.have.property('ok', 1);
      server.stepDown();
      // How it ends, this server without data does not tell. The driver may notice only by it that a connection is lost.
      const ended = Promise.allSettled([OPERATIONS[name](new Adapters(db, PATIENT))]);
      await once(client, 'serverHeartbeatStarted');
      server.reply('findAndModify', () => ({ ok: 1, value: { _id: 'pets', last: 9 } }));
      server.stepUp();
      await ended;
      expect(await new MongoPetCatalogue(db, PATIENT).find(1n)).to.equal(undefined);
    });
  }
});
