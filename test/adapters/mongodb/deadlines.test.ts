import { expect } from 'chai';
import type { CommandStartedEvent, Db, MongoClient } from 'mongodb';
import { once } from 'node:events';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient, ping } from '../../../src/adapters/mongodb/client.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb } from '../../support/dataless-mongodb.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { throughProxy, useMongodb } from '../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';
import { clientOf } from './client-of.js';
import { Adapters, OPERATION_NAMES, OPERATIONS } from './operations.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
/** So long that half of it is more than nine tenths of the default. */
const DEADLINE_MS = 12_000;
/** The server gives up after nine tenths of the time that is left. */
const PART = 0.9;

describe('the time limit of a command to MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  for (const operation of OPERATION_NAMES) {
    it(`is shorter than the deadline of ${operation}, so that the server gives up first`, async () => {
      const adapters = new Adapters(db(), { deadlineMs: DEADLINE_MS });
      const all = await commandsOf(client(), async () => OPERATIONS[operation](adapters));
      // An index may take longer to build.
      const sent = all.filter(({ name }) => name !== 'createIndexes');
      expect(sent).not.to.have.length(0);
      for (const { name, command } of sent) {
        // The check for an index is the first command of its operation.
        const least = name === 'listIndexes' ? DEADLINE_MS / 2 : 1;
        expect(command['maxTimeMS'], name).to.be.within(least, DEADLINE_MS * PART);
        // A write also stops waiting for the majority before the deadline.
        const isWrite = ['insert', 'update', 'findAndModify'].includes(name);
        if (isWrite) expect(command['writeConcern'].wtimeout, name).to.be.within(DEADLINE_MS / 2, DEADLINE_MS * PART);
      }
    });
  }

  it('is shorter than the rest of the deadline, after a previous command has taken time', async function () {
    const ROUND_TRIP_MS = 200;
    const proxy = await startTcpProxy(mongodb.localPort(this));
    const url = throughProxy(mongodb.server().url, proxy, db().databaseName);
    const distant = await createMongoClient(url, { monitorCommands: true }).connect();
    endWithTest(async () => distant.close());
    const catalogue = new MongoPetCatalogue(distant.db(), { deadlineMs: DEADLINE_MS });
    await catalogue.add(REX);
    proxy.delay(ROUND_TRIP_MS / 2);
    const sent = await commandsOf(distant, async () => catalogue.addOnce(REX, 'once'));
    const last = sent.at(-1);
    expect(last?.command['maxTimeMS']).to.be.at.most((DEADLINE_MS - ROUND_TRIP_MS) * PART);
  });
});

const SHORT_MS = 300;
/** Longer than any of these tests takes: the options of the driver that would end an operation before its deadline. */
const OF_DRIVER = { serverSelectionTimeoutMS: 600_000, waitQueueTimeoutMS: 600_000, connectTimeoutMS: 600_000 };

/** A client that notes the ids that it asks for. */
function watchedClient(port: number, query: string, more = {}): { client: MongoClient; sent: bigint[] } {
  const client = clientOf({ port }, { ...OF_DRIVER, ...more, query, monitorCommands: true });
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
    read: async (db: Db) => new MongoPetCatalogue(db, { deadlineMs: SHORT_MS }).find(2n),
    ping: async (db: Db) => ping(db, SHORT_MS),
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
    const hasty = new MongoPetCatalogue(client.db('zoo'), { deadlineMs: SHORT_MS });
    await patient.find(1n);
    proxy.delay(2 * SHORT_MS);
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
    const hasty = new MongoPetCatalogue(client.db('zoo'), { deadlineMs: SHORT_MS });
    expect(await rejectionOf(hasty.find(1n))).to.have.property('code', 'store_unavailable');
    expect(await rejectionOf(hasty.find(2n))).to.have.property('code', 'store_unavailable');
    server.stepUp();
    await new MongoPetCatalogue(client.db('zoo'), { deadlineMs: 50_000 }).find(3n);
    expect(sent).to.deep.equal([3n]);
  });
});

describe('an operation during an election of MongoDB', () => {
  it('waits for the new primary for as long as its deadline allows', async () => {
    const server = await startDatalessMongodb();
    server.stepUp();
    const client = clientOf(server, { query: 'replicaSet=rs0', deadlineMs: 30_000 });
    const catalogue = new MongoPetCatalogue(client.db('zoo'), { deadlineMs: 30_000 });
    expect(await catalogue.find(1n)).to.equal(undefined);
    const deposed = new Promise<void>((resolve) => {
      client.on('topologyDescriptionChanged', ({ newDescription }) => {
        if (newDescription.type === 'ReplicaSetNoPrimary') resolve();
      });
    });
    server.stepDown();
    await deposed;
    const answer = catalogue.find(1n);
    const asked = performance.now();
    // Longer than the two seconds after which the selection of a server once ended.
    await until(() => performance.now() - asked > 3000);
    server.stepUp();
    expect(await answer).to.equal(undefined);
  });
});
