import { expect } from 'chai';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';
import { throughProxy, usePrivateServer } from '../../support/use-mongodb.js';
import { startCatalogueLoad } from './pets/catalogue-load.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
/** A deadline that a busy machine keeps, and that each test would exceed if a dead connection were waited for. */
const DEADLINE_MS = 20_000;

describe('MongoDB over a network in which single connections die', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let proxy: TcpProxy;
  let url: string;

  beforeEach(async () => {
    proxy = await startTcpProxy(server().port);
    url = throughProxy(server().url, proxy, 'dead');
  });

  afterEach(async () => proxy.close());

  it('creations continue if the connection that fetches ids dies', async () => {
    const client = await createClient(url, { deadlineMs: DEADLINE_MS }).connect();
    const catalogue = new MongoPetCatalogue(client.db('ids'), { deadlineMs: DEADLINE_MS });
    await catalogue.add(REX);
    const died = proxy.swallowConnectionOf('findAndModify');
    const { load } = startCatalogueLoad(catalogue, 32);
    await died;
    await load.next('answered', 500);
    const { unavailable, unexpected } = await load.end();
    expect(unexpected).to.deep.equal([]);
    expect(unavailable).to.equal(0);
  });

  it('the first creation of a process succeeds if the connection that fetches its ids dies', async () => {
    const client = await createClient(url).connect();
    const catalogue = new MongoPetCatalogue(client.db('first'), { deadlineMs: DEADLINE_MS });
    const died = proxy.swallowConnectionOf('findAndModify');
    const pets = await Promise.all(Array.from({ length: 32 }, async () => catalogue.add(REX)));
    await died;
    expect(new Set(pets.map(({ id }) => id)).size).to.equal(32);
  });

  it('animals are stored while ids are fetched, so that no creation waits at the end of a block', async () => {
    const client = createMongoClient(url, { monitorCommands: true });
    try {
      const catalogue = new MongoPetCatalogue((await client.connect()).db('ahead'));
      await catalogue.add(REX);
      const insertsDuring: number[] = [];
      const insertsBefore = new Map<number, number>();
      let inserts = 0;
      client.on('commandStarted', ({ commandName, requestId }) => {
        if (commandName === 'insert') inserts++;
        if (commandName === 'findAndModify') insertsBefore.set(requestId, inserts);
      });
      client.on('commandSucceeded', ({ requestId }) => {
        const before = insertsBefore.get(requestId);
        if (before !== undefined) insertsDuring.push(inserts - before);
      });
      proxy.delay(25);
      const addMany = async (): Promise<void> => {
        for (let i = 0; i < 40; i++) await catalogue.add(REX);
      };
      await Promise.all(Array.from({ length: 64 }, addMany));
      // The first two blocks are small: the rate is not known yet.
      const [, , ...later] = insertsDuring;
      expect(later.length).to.be.greaterThan(0);
      expect(Math.min(...later)).to.be.greaterThan(0);
    } finally {
      await client.close();
    }
  });

  it('every key is verified if the connection that looks one up dies, and the others do not wait for it', async () => {
    const registry = new MongoApiKeyRegistry(createClient().db('keys'));
    await registry.init();
    const manager = apiKeyManagerOf(registry);
    const [first, ...others] = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => manager.issue({ name: `key-${i}` })),
    );
    const client = await createClient(url).connect();
    const keys = new MongoApiKeys(client.db('keys'), { verifyDeadlineMs: 20_000 });
    const ended: string[] = [];
    const verify = async (key = ''): Promise<void> => {
      const principal = await keys.verify(key);
      ended.push(principal?.name ?? '');
    };
    const died = proxy.swallowConnectionOf('apiKeys');
    const dead = verify(first?.key);
    await died;
    await Promise.all([dead, ...others.map(async ({ key }) => verify(key))]);
    expect(ended.at(-1)).to.equal(first?.name);
    expect(ended).to.have.length(40);
  });
});
