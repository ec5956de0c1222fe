import { join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { useMongodb } from '../support/use-mongodb.js';
import { ALL_PACKAGES, makeProject, makeProjectWithOldest, passedTests, ROOT, TOOLS, write } from './project.js';

/** Tests for `node:test`: the contract suites of the ports on MongoDB. */
const ON_MONGODB = `
  import { randomBytes, randomUUID } from 'node:crypto';
  import { after, describe, it } from 'node:test';
  import { createApiKeyManager } from 'animal-store';
  import { verifyApiKeyRegistryContract, verifyApiKeysContract, verifyPetCatalogueContract } from 'animal-store/contract';
  import { createMongoClient, MongoApiKeyRegistry, MongoApiKeys, MongoPetCatalogue, prepareDatabase } from 'animal-store/mongodb';
  const runner = { describe, it };
  // mongo-java-server on a busy machine takes seconds for a thousand animals.
  const PATIENT = { deadlineMs: 60_000 };
  const client = await createMongoClient(process.env.MONGODB_URL, PATIENT).connect();
  const databases = [];
  const open = async () => {
    const db = client.db('animal-store-test-' + randomUUID());
    databases.push(db);
    await prepareDatabase(db);
    return db;
  };
  after(async () => {
    for (const db of databases) await db.dropDatabase();
    await client.close();
  });
  const createRegistry = async () => {
    const db = await open();
    return { registry: new MongoApiKeyRegistry(db, PATIENT), apiKeys: new MongoApiKeys(db) };
  };
  const createCatalogue = async () => new MongoPetCatalogue(await open(), PATIENT);
  verifyPetCatalogueContract({ createCatalogue, addOnce: true, restore: true, runner });
  verifyApiKeysContract({
    issueKeys: async (names) => {
      const { registry, apiKeys } = await createRegistry();
      const manager = createApiKeyManager({ registry, now: () => new Date(), randomBytes });
      const keys = [];
      for (const name of names) keys.push((await manager.issue({ name })).key);
      return { apiKeys, keys };
    },
    runner,
  });
  verifyApiKeyRegistryContract({ createRegistry, runner });`;

const OVER_HTTP = `
  import { after, describe, it } from 'node:test';
  import { createAnimalStore } from 'animal-store';
  import { verifyHttpContract } from 'animal-store/contract';
  import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
  import { createApp } from 'animal-store/koa';
  import { createHttpServer } from 'animal-store/node';
  const apiKey = 'a-key-of-sixteen.';
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  const apiKeys = new InMemoryApiKeys([{ name: 'tests', key: apiKey }]);
  const server = createHttpServer(createApp({ store, apiKeys }).callback());
  const { port } = await server.listen(0, '127.0.0.1');
  after(() => server.drain(100));
  verifyHttpContract({ baseUrl: \`http://127.0.0.1:\${port}/v1\`, apiKey, runner: { describe, it } });`;

describe('the contracts of the packed package, under node:test', function () {
  this.timeout(600_000);
  const mongodb = useMongodb();

  before(async () => installPackages(join(ROOT, TOOLS)));

  it('are kept over HTTP', () => {
    const project = makeProject(ALL_PACKAGES);
    write(project, 'main.mjs', OVER_HTTP);
    expect(passedTests(project, ['main.mjs'])).to.be.greaterThan(50);
  });

  it('are kept on MongoDB by the oldest driver in its range', () => {
    const project = makeProjectWithOldest('mongodb');
    write(project, 'main.mjs', ON_MONGODB);
    expect(passedTests(project, ['main.mjs'], { MONGODB_URL: mongodb.createDatabaseUrl() })).to.be.greaterThan(100);
  });
});
