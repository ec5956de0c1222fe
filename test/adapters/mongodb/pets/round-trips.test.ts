import { expect } from 'chai';
import { collectionOptions } from '../../../../src/adapters/mongodb/collections.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import type { PetQuery } from '../../../../src/domain/pet-catalogue.js';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

describe('what is sent to MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db, untilIdle } = useWatchedDatabase(mongodb);
  let catalogue: MongoPetCatalogue;

  beforeEach(async () => {
    catalogue = new MongoPetCatalogue(db(), PATIENT);
    await catalogue.init();
    await catalogue.add(REX);
    await catalogue.addOnce(REX, 'once');
    await untilIdle();
  });

  const OTHER = { ...REX, name: 'Tom' } as const;
  const CALLS: Readonly<Record<string, readonly [call: () => Promise<unknown>, ...sent: string[]]>> = {
    'an animal': [async () => catalogue.add(REX), 'insert pets'],
    'an animal that is stored once': [async () => catalogue.addOnce(REX, 'new'), 'insert creations', 'insert pets'],
    // The first one is refused.
    'a creation that is sent again': [
      async () => catalogue.addOnce(REX, 'once'),
      'insert creations',
      'find creations',
      'find pets',
    ],
    'another animal with its key': [
      async () => rejectionOf(catalogue.addOnce(OTHER, 'once')),
      'insert creations',
      'find creations',
    ],
    'many animals that are stored once': [
      async () => catalogue.addManyOnce(['a', 'b'].map((idempotencyKey) => ({ newPet: REX, idempotencyKey }))),
      'insert creations',
      'insert pets',
    ],
    'many creations that are sent again': [
      async () => catalogue.addManyOnce([{ newPet: REX, idempotencyKey: 'once' }]),
      'insert creations',
      'find creations',
      'find pets',
    ],
    'animals that are restored': [
      async () => catalogue.restore([{ id: 900n, ...REX }]),
      'findAndModify counters',
      'insert pets',
    ],
    'creations that are restored': [
      async () => catalogue.restoreCreations([{ sha256: 'a'.repeat(64), petId: 1n, at: new Date() }]),
      'find pets',
      'find creations',
      'update pets',
      'insert creations',
    ],
    'a look-up of an animal': [async () => catalogue.find(1n), 'find pets'],
    'a list': [async () => catalogue.list({ limit: 5 }), 'find pets'],
  };
  for (const [what, [call, ...expected]] of Object.entries(CALLS)) {
    it(`is ${expected.join(', ')} for ${what}, by a majority`, async () => {
      const sent = await commandsOf(client(), call);
      expect(sent.map(({ name, command }) => `${name} ${command[name]}`)).to.deep.equal(expected);
      for (const { name, command } of sent) {
        if (name === 'find') expect(command['readConcern']).to.deep.equal({ level: 'majority' });
        else expect(command['writeConcern']).to.include({ w: 'majority', j: true });
      }
    });
  }

  it('is an animal without a mark, if it has no idempotency key', async () => {
    const [sent] = await commandsOf(client(), async () => catalogue.add(REX));
    expect(Object.keys((sent?.command['documents'] as object[])[0] ?? {})).to.deep.equal(['_id', ...Object.keys(REX)]);
  });

  it('is one find of limit + 1 documents in one batch for a list of any length', async () => {
    for (let i = 0; i < 120; i++) await catalogue.add(REX);
    for (const limit of [1, 20, 100]) {
      const sent = await commandsOf(client(), async () => catalogue.list({ limit, status: 'sold', after: 3n }));
      expect(sent.map(({ name }) => name)).to.deep.equal(['find']);
      expect(sent[0]?.command).to.deep.include({ limit: limit + 1, singleBatch: true, sort: { _id: 1 } });
      expect(sent[0]?.command['batchSize']).to.be.greaterThan(limit);
    }
  });

  it('is the hint at the index that a list needs', async () => {
    const hintOf = async (query: PetQuery): Promise<unknown> => {
      const [sent] = await commandsOf(client(), async () => catalogue.list(query));
      return sent?.command['hint'];
    };
    expect(await hintOf({ limit: 1 })).to.deep.equal({ _id: 1 });
    expect(await hintOf({ limit: 1, status: 'sold' })).to.deep.equal({ status: 1, _id: 1 });
  });

  it('is read from the primary, whatever the URL says', () => {
    const lax = createMongoClient('mongodb://127.0.0.1:1/?readPreference=secondary');
    const { readPreference } = lax.db('animals').collection('pets', collectionOptions(5000));
    expect(readPreference?.mode).to.equal('primary');
  });

  it('is the creation of the indexes, by init', async () => {
    await new MongoApiKeyRegistry(db()).init();
    const keysOf = async (name: string) => (await db().collection(name).indexes()).map(({ key }) => key as unknown);
    expect(await keysOf('pets')).to.deep.include({ status: 1, _id: 1 });
    expect(await keysOf('apiKeys')).to.deep.include({ digest: 1 });
  });

  it('is far fewer blocks of ids than animals, because blocks grow with the rate, and one query for the greatest id', async () => {
    const growing = new MongoPetCatalogue(db(), { ...PATIENT, idBlockSize: 1 });
    const sent = await commandsOf(client(), async () => {
      for (let i = 0; i < 1000; i++) await growing.add(REX);
    });
    const count = (command: string): number => sent.filter(({ name }) => name === command).length;
    expect(count('findAndModify')).to.be.lessThan(100);
    // A busy machine may make up to three attempts at the first reservation.
    expect(count('find')).to.be.within(1, 3);
    expect(count('insert')).to.equal(1000);
  });

  it('is one find for a key, in one batch, of what a majority has', async () => {
    const { key } = await apiKeyManagerOf(new MongoApiKeyRegistry(db(), PATIENT)).issue({ name: 'anna' });
    const sent = await commandsOf(client(), async () =>
      new MongoApiKeys(db(), { verifyDeadlineMs: PATIENT_MS }).verify(key),
    );
    // A busy machine may make up to three attempts.
    expect([...new Set(sent.map(({ name }) => name))]).to.deep.equal(['find']);
    expect(sent[0]?.command).to.deep.include({ limit: 1, singleBatch: true, readConcern: { level: 'majority' } });
  });

  it('is one find of limit + 1 keys, by their ids, for a list of keys', async () => {
    const registry = new MongoApiKeyRegistry(db());
    const [sent, ...others] = await commandsOf(client(), async () => registry.list({ limit: 3 }));
    expect(others).to.deep.equal([]);
    expect(sent?.command).to.deep.include({ find: 'apiKeys', limit: 4, sort: new Map([['_id', 1]]) });
    expect(sent?.command['maxTimeMS']).to.be.within(1, 5000);
  });

  it('is nothing for a key that is mistyped, or was verified just before', async () => {
    const keys = new MongoApiKeys(db(), { verifyDeadlineMs: PATIENT_MS });
    const { key } = await apiKeyManagerOf(new MongoApiKeyRegistry(db(), PATIENT)).issue({ name: 'anna' });
    await keys.verify(key);
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    const sent = await commandsOf(client(), async () => Promise.all([mistyped, key, key].map((k) => keys.verify(k))));
    expect(sent).to.deep.equal([]);
  });
});
