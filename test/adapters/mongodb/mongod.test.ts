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
  const { client, db } = useWatchedDatabase(useMongodb({ needsMongod: true }));
  let catalogue: MongoPetCatalogue;
  let registry: MongoApiKeyRegistry;

  beforeEach(async () => {
    await prepareDatabase(db());
    catalogue = new MongoPetCatalogue(db());
    registry = new MongoApiKeyRegistry(db());
    const statuses = [...PET_STATUSES, undefined];
    await Promise.all(
      Array.from({ length: 400 }, async (_, i) => {
        const status = statuses[i % statuses.length];
        await catalogue.add({ name: 'Rex', categoryId: 1n, ...(status && { status }) });
      }),
    );
    const names = Array.from({ length: 40 }, (_, i) => `key-${i}`);
    await Promise.all(names.map(async (name) => apiKeyManagerOf(registry).issue({ name })));
  });

  const READS: Readonly<Record<string, readonly [read: () => Promise<unknown>, documents: number]>> = {
    'a list': [async () => catalogue.list({ limit: 20 }), 21],
    'a list that goes on': [async () => catalogue.list({ limit: 20, after: 200n }), 21],
    'a list by status': [async () => catalogue.list({ limit: 20, status: 'sold' }), 21],
    'a list by status that goes on': [async () => catalogue.list({ limit: 20, status: 'sold', after: 200n }), 21],
    'a look-up of a key': [async () => new MongoApiKeys(db()).verify(generateApiKey()), 0],
    'a page of keys': [async () => registry.list({ limit: 10, after: '0' }), 11],
  };
  for (const [what, [read, documents]] of Object.entries(READS)) {
    it(`${what} reads ${documents} documents, by an index (needs explain)`, async () => {
      const [sent] = await commandsOf(client(), read);
      const { find, filter, sort, hint, limit, singleBatch } = sent?.command as Document;
      const command = { find, filter, ...(sort && { sort }), ...(hint && { hint }), limit, singleBatch };
      const plan = await db().command({ explain: command, verbosity: 'executionStats' });
      expect(plan['executionStats'].totalDocsExamined).to.equal(documents);
      expect(plan['executionStats'].totalKeysExamined).to.be.within(documents, documents + 1);
      expect(JSON.stringify(plan['queryPlanner'].winningPlan)).not.to.match(/COLLSCAN|"SORT"/);
    });
  }

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

describe('on a real mongod that no other test uses only', () => {
  const { createClient } = usePrivateServer({ needsMongod: true });

  it('callers see nothing but store_unavailable while the primary steps down (needs a replica set)', async () => {
    const client = createClient();
    await prepareDatabase(client.db('stepdown'));
    const catalogue = new MongoPetCatalogue(client.db('stepdown'));
    const { load, stored } = startCatalogueLoad(catalogue);
    await load.next('answered', 100);
    await client.db('admin').command({ replSetStepDown: 3, force: true });
    await load.next('answered', 200);
    expect((await load.end()).unexpected).to.deep.equal([]);
    for (const pet of stored) expect(await catalogue.find(pet.id)).to.deep.equal(pet);
  });
});
