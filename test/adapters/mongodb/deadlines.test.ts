import { expect } from 'chai';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { throughProxy, useMongodb, usePrivateServer } from '../../support/use-mongodb.js';
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
});

describe('the time limit of a command to a distant MongoDB', function () {
  this.timeout(180_000);
  const { server } = usePrivateServer();

  it('is shorter than the rest of the deadline, after a previous command has taken time', async () => {
    const ROUND_TRIP_MS = 200;
    const proxy = await startTcpProxy(server().port);
    endWithTest(async () => proxy.close());
    const url = throughProxy(server().url, proxy, 'limits');
    const client = await createMongoClient(url, { monitorCommands: true }).connect();
    endWithTest(async () => client.close());
    const catalogue = new MongoPetCatalogue(client.db('limits'), { deadlineMs: DEADLINE_MS });
    await catalogue.add(REX);
    proxy.delay(ROUND_TRIP_MS / 2);
    const sent = await commandsOf(client, async () => catalogue.addOnce(REX, 'once'));
    const last = sent.at(-1);
    expect(last?.command['maxTimeMS']).to.be.at.most((DEADLINE_MS - ROUND_TRIP_MS) * PART);
  });
});

describe('an operation during an election of MongoDB', function () {
  this.timeout(180_000);
  let server: DatalessMongodb;

  /** A catalogue on a replica set that has no primary, as a client sees it that has found this out already. */
  async function catalogueWithoutPrimary(deadlineMs: number): Promise<MongoPetCatalogue> {
    server = await startDatalessMongodb();
    server.stepUp();
    const client = clientOf(server, { query: 'replicaSet=rs0', deadlineMs });
    const catalogue = new MongoPetCatalogue(client.db('zoo'), { deadlineMs });
    expect(await catalogue.find(1n)).to.equal(undefined);
    const deposed = new Promise((resolve) => {
      client.on('topologyDescriptionChanged', ({ newDescription }) => {
        if (newDescription.type === 'ReplicaSetNoPrimary') resolve(undefined);
      });
    });
    server.stepDown();
    await deposed;
    return catalogue;
  }

  it('waits for the new primary for as long as its deadline allows', async () => {
    const catalogue = await catalogueWithoutPrimary(30_000);
    const answer = catalogue.find(1n);
    const asked = performance.now();
    // Longer than the two seconds after which the selection of a server once ended.
    await until(() => performance.now() - asked > 3000);
    server.stepUp();
    expect(await answer).to.equal(undefined);
  });

  it('rejects with store_unavailable if the election outlasts its deadline, and works again after it', async () => {
    const deadlineMs = 2000;
    const catalogue = await catalogueWithoutPrimary(deadlineMs);
    const start = performance.now();
    const error = await rejectionOf(catalogue.find(1n));
    expect(performance.now() - start).to.be.lessThan(deadlineMs + SLACK_MS);
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    server.stepUp();
    await until(async () =>
      catalogue.find(1n).then(
        () => true,
        () => false,
      ),
    );
  });
});
