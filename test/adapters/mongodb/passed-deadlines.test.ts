import { expect } from 'chai';
import { once } from 'node:events';
import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import { ping } from '../../../src/adapters/mongodb/client.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { clientOf } from './client-of.js';

const DEADLINE_MS = 300;
/** Longer than any of these tests takes: the options of the driver that would end an operation before its deadline. */
const PATIENT = { serverSelectionTimeoutMS: 600_000, waitQueueTimeoutMS: 600_000, connectTimeoutMS: 600_000 };

/** A client that notes the ids that it asks for. */
function watchedClient(port: number, query: string, more = {}): { client: MongoClient; sent: bigint[] } {
  const client = clientOf({ port }, { ...PATIENT, ...more, query, monitorCommands: true });
  const sent: bigint[] = [];
  client.on('commandStarted', ({ command }: CommandStartedEvent) => {
    if ('find' in command) sent.push((command as { readonly filter: { readonly _id: bigint } }).filter._id);
  });
  return { client, sent };
}

/** Whether the driver heeds the signal at each step of an operation. */
describe('an operation on MongoDB whose deadline has passed', function () {
  this.timeout(180_000);

  for (const [name, operate] of Object.entries({
    read: async (db: Db) => new MongoPetCatalogue(db, { deadlineMs: DEADLINE_MS }).find(2n),
    ping: async (db: Db) => ping(db, DEADLINE_MS),
  })) {
    it(`closes the connection on which it waited for an answer: a ${name}`, async () => {
      const server = await startDatalessMongodb();
      const proxy = await startTcpProxy(server.port);
      const { client } = watchedClient(proxy.port, 'directConnection=true');
      await new MongoPetCatalogue(client.db('zoo')).find(1n);
      const closed = once(client, 'connectionClosed');
      proxy.swallow();
      expect(await rejectionOf(operate(client.db('zoo')))).to.have.property('code', 'store_unavailable');
      await closed;
    });
  }

  it('is no longer sent if it waited for a free connection', async () => {
    const server = await startDatalessMongodb();
    const proxy = await startTcpProxy(server.port);
    const { client, sent } = watchedClient(proxy.port, 'directConnection=true', { maxPoolSize: 1 });
    const patient = new MongoPetCatalogue(client.db('zoo'), { deadlineMs: 50_000 });
    const hasty = new MongoPetCatalogue(client.db('zoo'), { deadlineMs: DEADLINE_MS });
    await patient.find(1n);
    proxy.delay(2 * DEADLINE_MS);
    const waitsForAnswer = patient.find(2n);
    expect(await rejectionOf(hasty.find(3n))).to.have.property('code', 'store_unavailable');
    proxy.delay(0);
    await waitsForAnswer;
    await patient.find(4n);
    expect(sent).to.deep.equal([1n, 2n, 4n]);
  });

  it('is no longer sent if it waited for a primary', async () => {
    const server = await startDatalessMongodb();
    server.stepDown();
    const { client, sent } = watchedClient(server.port, 'replicaSet=rs0');
    const hasty = new MongoPetCatalogue(client.db('zoo'), { deadlineMs: DEADLINE_MS });
    expect(await rejectionOf(hasty.find(1n))).to.have.property('code', 'store_unavailable');
    expect(await rejectionOf(hasty.find(2n))).to.have.property('code', 'store_unavailable');
    server.stepUp();
    await new MongoPetCatalogue(client.db('zoo'), { deadlineMs: 50_000 }).find(3n);
    expect(sent).to.deep.equal([3n]);
  });
});
