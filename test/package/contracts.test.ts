import { join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { usePostgres } from '../support/postgres.js';
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

/** Tests for `node:test`: the contract suite of catalogues on PostgreSQL, and what the messages of the driver tell. */
const ON_POSTGRES = `
  import assert from 'node:assert/strict';
  import { after, before, describe, it } from 'node:test';
  import { verifyPetCatalogueContract } from 'animal-store/contract';
  import { openPostgresDatabase, PostgresPetCatalogue } from 'animal-store/postgres';
  import pg from 'pg';
  const runner = { describe, it };
  const url = process.env.POSTGRES_URL;
  const REX = { name: 'Rex', categoryId: 7n };
  const databases = [];
  let admin;
  before(async () => {
    admin = new pg.Client({ connectionString: url });
    await admin.connect();
  });
  after(async () => {
    for (const database of databases) await database.close();
    await admin.end();
  });
  const open = async (options = {}) => {
    const database = await openPostgresDatabase(url, { deadlineMs: 60_000, ...options });
    databases.push(database);
    return new PostgresPetCatalogue(database);
  };
  const createCatalogue = async () => {
    const catalogue = await open();
    await admin.query('TRUNCATE pets; UPDATE pet_counter SET last = 0');
    return catalogue;
  };
  verifyPetCatalogueContract({ createCatalogue, addOnce: true, restore: true, runner });
  const lock = async () => {
    await admin.query('BEGIN; UPDATE pet_counter SET last = last');
  };
  /** The process of the connection that waits for the lock, as soon as there is one. */
  const waiting = async () => {
    for (;;) {
      const { rows } = await admin.query("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      if (rows.length > 0) return rows[0].pid;
    }
  };
  it('sends a creation with a key again after its connection was lost, whatever the driver says of that', async () => {
    const catalogue = await open();
    await lock();
    const creation = catalogue.addOnce(REX, 'lost');
    await admin.query('SELECT pg_terminate_backend($1)', [await waiting()]);
    await admin.query('COMMIT');
    assert.equal((await creation).pet.name, 'Rex');
  });
  it('gives a statement up that has no answer, and a connection that does not become free', async () => {
    const catalogue = await open({ deadlineMs: 1000, maxConnections: 1 });
    await lock();
    const calls = [catalogue.add(REX)];
    await waiting();
    calls.push(catalogue.find(1n));
    const [adding, finding] = await Promise.allSettled(calls);
    await admin.query('COMMIT');
    assert.equal(adding.reason?.code, 'store_unavailable');
    // The statement that was given up may leave the connection in time.
    if (finding.status === 'rejected') assert.equal(finding.reason.code, 'store_unavailable');
    await catalogue.find(1n);
  });
  it('says that no host is a primary', async () => {
    const opened = openPostgresDatabase('postgres://127.0.0.1:9/x', { deadlineMs: 300 });
    await assert.rejects(opened, { code: 'store_unavailable' });
  });`;

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
  const postgres = usePostgres();

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

  it('are kept on PostgreSQL by the oldest driver in its range, whose errors are told by their messages', async () => {
    const project = makeProjectWithOldest('pg');
    write(project, 'main.mjs', ON_POSTGRES);
    expect(passedTests(project, ['main.mjs'], { POSTGRES_URL: await postgres.createUrl() })).to.be.greaterThan(50);
  });
});
