import { expect } from 'chai';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { createMongoClient, type MongoClient } from '../../../src/adapters/mongodb/client.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { endWithTest } from '../../support/cleanup.js';
import { until } from '../../support/until.js';
import { withDatabase } from '../../support/use-mongodb.js';
import { useReplicaSetOfThree } from '../../support/use-replica-set.js';
import { startCatalogueLoad } from './catalogue-load.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
/** Longer than an election takes, with the default settings of MongoDB and some seconds of freezing. */
const DEADLINE_MS = 40_000;
const FREEZE_SECONDS = 5;
const STEP_DOWN_SECONDS = 20;

describe('on a replica set of three only', function () {
  this.timeout(180_000);
  const set = useReplicaSetOfThree();

  /** A client of a database of the test's own. */
  async function connect(name: string, deadlineMs?: number): Promise<MongoClient> {
    const url = withDatabase(set.url(), `animal-store-test-${name}-${process.pid}`);
    const client = await createMongoClient(url, deadlineMs === undefined ? {} : { deadlineMs }).connect();
    endWithTest(async () => {
      await client.db().dropDatabase();
      await client.close();
    });
    return client;
  }

  it('loses no acknowledged animal and assigns no id twice while the primary steps down under the load of two processes', async () => {
    const clients = [await connect('step-down'), await connect('step-down')];
    const catalogues = clients.map((client) => new MongoPetCatalogue(client.db()));
    await prepareDatabase((clients[0] as MongoClient).db());
    const loads = catalogues.map((catalogue) => startCatalogueLoad(catalogue));
    const answered = async (): Promise<unknown> =>
      Promise.all(loads.map(async ({ load }) => load.next('answered', 200)));
    await answered();
    const before = await set.primary();
    await set.stepDown(STEP_DOWN_SECONDS);
    await until(async () => ![undefined, before].includes(await set.primary()));
    await answered();
    for (const { load } of loads) expect((await load.end()).unexpected).to.deep.equal([]);
    const stored = loads.flatMap((load) => load.stored);
    expect(new Set(stored.map(({ id }) => id)).size).to.equal(stored.length);
    for (const pet of stored) expect(await catalogues[0]?.find(pet.id)).to.deep.equal(pet);
  });

  it('answers calls that begin during an election, once there is a primary, if their deadline is longer', async () => {
    const client = await connect('election', DEADLINE_MS);
    const catalogue = new MongoPetCatalogue(client.db(), { deadlineMs: DEADLINE_MS });
    await prepareDatabase(client.db());
    await catalogue.add(REX);
    const deposed = new Promise<void>((resolve) => {
      client.on('topologyDescriptionChanged', ({ newDescription }) => {
        if (newDescription.type === 'ReplicaSetNoPrimary') resolve();
      });
    });
    await set.freezeSecondaries(FREEZE_SECONDS);
    await set.stepDown(STEP_DOWN_SECONDS);
    await deposed;
    const pets = await Promise.all(Array.from({ length: 64 }, async () => catalogue.add(REX)));
    expect(new Set(pets.map(({ id }) => id)).size).to.equal(64);
  });

  it('accepts a key verified before during an election, and learns of a revocation after it', async () => {
    const client = await connect('keys', DEADLINE_MS);
    await prepareDatabase(client.db());
    const manager = apiKeyManagerOf(new MongoApiKeyRegistry(client.db(), { deadlineMs: DEADLINE_MS }));
    const { id, key } = await manager.issue({ name: 'anna' });
    const keys = new MongoApiKeys(client.db());
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    await set.freezeSecondaries(FREEZE_SECONDS);
    await set.stepDown(STEP_DOWN_SECONDS);
    const revoked = manager.revoke(id);
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    await revoked;
    await until(async () => (await keys.verify(key)) === undefined);
  });
});
