import { expect } from 'chai';
import type { Document } from 'mongodb';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { generateApiKey } from '../../support/generate-api-key.js';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { PET_STATUSES } from '../../../src/domain/pet-status.js';
import { useMongodb, usePrivateServer } from '../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from './commands-of.js';
import { startCatalogueLoad } from './catalogue-load.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describe('on a real mongod only', () => {
  const mongodb = useMongodb({ needsMongod: true });
  const { client, db } = useWatchedDatabase(mongodb);
  let catalogue: MongoPetCatalogue;

  beforeEach(async () => {
    await prepareDatabase(db());
    catalogue = new MongoPetCatalogue(db());
  });

  /** What the server did for the one find that `doing` sends. */
  async function explain(doing: () => Promise<unknown>): Promise<Document> {
    const [sent] = await commandsOf(client(), doing);
    const { find, filter, sort, hint, limit, singleBatch } = sent?.command ?? {};
    const command = {
      find,
      filter,
      ...(sort && { sort }),
      ...(hint && { hint }),
      ...(limit && { limit, singleBatch }),
    };
    return db().command({ explain: command, verbosity: 'executionStats' });
  }

  async function stock(): Promise<void> {
    const statuses = [...PET_STATUSES, undefined];
    const pets = Array.from({ length: 400 }, (_, i) => statuses[i % 4]);
    await Promise.all(
      pets.map(async (status) => catalogue.add({ name: 'Rex', categoryId: 1n, ...(status && { status }) })),
    );
  }

  for (const [what, query] of [
    ['list', { limit: 20 }],
    ['list that goes on', { limit: 20, after: 200n }],
    ['list by status', { limit: 20, status: 'sold' }],
    ['list by status that goes on', { limit: 20, status: 'sold', after: 200n }],
  ] as const) {
    it(`a ${what} reads no more than limit + 1 animals, by an index (needs explain)`, async () => {
      await stock();
      const plan = await explain(async () => catalogue.list(query));
      expect(plan['executionStats'].totalDocsExamined).to.equal(21);
      expect(plan['executionStats'].totalKeysExamined).to.be.within(21, 22);
      expect(JSON.stringify(plan['queryPlanner'].winningPlan)).not.to.match(/COLLSCAN|"SORT"/);
    });
  }

  it('a key is looked up by the index of the digests (needs explain)', async () => {
    const registry = new MongoApiKeyRegistry(db());
    await Promise.all(['anna', 'ben', 'cleo'].map(async (name) => apiKeyManagerOf(registry).issue({ name })));
    const plan = await explain(async () => new MongoApiKeys(db()).verify(generateApiKey()));
    expect(plan['executionStats'].totalDocsExamined).to.equal(0);
    expect(JSON.stringify(plan['queryPlanner'].winningPlan)).to.include('digest_1');
  });

  it('a further page of keys reads at most limit + 1 keys, in the order of an index (needs explain)', async () => {
    const registry = new MongoApiKeyRegistry(db());
    const names = Array.from({ length: 40 }, (_, i) => `key-${i}`);
    await Promise.all(names.map(async (name) => apiKeyManagerOf(registry).issue({ name })));
    const { next = '' } = await registry.list({ limit: 10 });
    const plan = await explain(async () => registry.list({ limit: 10, after: next }));
    expect(plan['executionStats'].totalDocsExamined).to.equal(11);
    expect(JSON.stringify(plan['queryPlanner'].winningPlan)).not.to.match(/COLLSCAN|"SORT"/);
  });

  it('the counter assigns no id twice to concurrent processes (needs atomic updates)', async () => {
    const many = Array.from({ length: 20 }, () => new MongoPetCatalogue(db()));
    const refused: unknown[] = [];
    client().on('commandSucceeded', ({ commandName, reply }) => {
      if (commandName === 'insert') refused.push(...((reply as { writeErrors?: unknown[] }).writeErrors ?? []));
    });
    const pets = await Promise.all(many.flatMap((one) => Array.from({ length: 20 }, async () => one.add(REX))));
    expect(new Set(pets.map(({ id }) => id)).size).to.equal(400);
    expect(refused).to.deep.equal([]);
  });
});

describe('on a real mongod that no other test uses only', function () {
  this.timeout(180_000);
  const { createClient } = usePrivateServer({ needsMongod: true });

  it('callers see nothing but store_unavailable while the primary steps down (needs a replica set)', async () => {
    const client = createClient();
    await prepareDatabase(client.db('stepdown'));
    const catalogue = new MongoPetCatalogue(client.db('stepdown'));
    const { load, stored } = startCatalogueLoad(catalogue);
    await load.next('answered', 100);
    await client.db('admin').command({ replSetStepDown: 3, force: true });
    await load.next('answered', 200);
    const { unexpected } = await load.end();
    expect(unexpected).to.deep.equal([]);
    for (const pet of stored) expect(await catalogue.find(pet.id)).to.deep.equal(pet);
  });
});
