import { expect } from 'chai';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { endWithTest } from '../../support/cleanup.js';
import { makeKey } from '../../contracts/api-key-registry-subject.js';
import { startDatalessMongodb, type DatalessMongodb } from '../../support/dataless-mongodb.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { SLACK_MS } from '../../support/slack.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { until } from '../../support/until.js';
import { throughProxy, useMongodb, usePrivateServer } from '../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';
import { clientOf } from './client-of.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const DEADLINE_MS = 8000;
const VERIFY_DEADLINE_MS = 6000;
const ANNA = makeKey().record;
/** The server gives up after nine tenths of the time that is left. */
const PART = 0.9;

describe('the time limit of a command to MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);
  const registry = () => new MongoApiKeyRegistry(db(), { deadlineMs: DEADLINE_MS });

  const calls = {
    'a creation, its ids included': async () => new MongoPetCatalogue(db(), { deadlineMs: DEADLINE_MS }).add(REX),
    'a look-up of an animal': async () => new MongoPetCatalogue(db(), { deadlineMs: DEADLINE_MS }).find(1n),
    'a list': async () => new MongoPetCatalogue(db(), { deadlineMs: DEADLINE_MS }).list({ limit: 1 }),
    'a list of keys': async () => registry().list({ limit: 1 }),
    'a look-up of a record of a key': async () => registry().find('of-no-key'),
    'a change of a record of a key': async () => registry().replace(ANNA, { ...ANNA, revokedAt: new Date() }),
    'a look-up of a key': async () =>
      new MongoApiKeys(db(), { deadlineMs: VERIFY_DEADLINE_MS }).verify(generateApiKey()),
  } as const;

  for (const [what, call] of Object.entries(calls)) {
    it(`is shorter than the deadline of ${what}, so that the server gives up first`, async () => {
      const deadlineMs = what === 'a look-up of a key' ? VERIFY_DEADLINE_MS : DEADLINE_MS;
      const sent = await commandsOf(client(), call);
      expect(sent).not.to.have.length(0);
      for (const { name, command } of sent) {
        expect(command['maxTimeMS'], name).to.be.within(1, deadlineMs * PART);
        // A write also stops waiting for the majority before the deadline.
        if (name !== 'find') expect(command['writeConcern'], name).to.include({ wtimeout: deadlineMs * PART });
      }
    });
  }
});

describe('the time limit of the check for the index that a new key needs', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  it('is a little shorter than the deadline of the registry', async () => {
    const registry = new MongoApiKeyRegistry(db(), { deadlineMs: DEADLINE_MS });
    const sent = await commandsOf(client(), async () => registry.add(ANNA));
    const look = sent.find(({ name }) => name === 'listIndexes');
    expect(look?.command['maxTimeMS']).to.be.within(5000, DEADLINE_MS * PART);
  });
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
