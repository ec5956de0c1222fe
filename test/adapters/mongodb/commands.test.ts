import { expect } from 'chai';
import type { Document } from 'mongodb';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { checkDatabase, prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { PATIENT } from '../../support/patience.js';
import { patientApiKeys } from '../../support/patient-api-keys.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase, type SentCommand } from './commands-of.js';
import { Adapters, OPERATION_NAMES, OPERATIONS } from './operations.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;
/** The server gives up a read, and stops waiting for a majority, after this part of the deadline. */
const PART = 0.6;

/** What the role `readWrite` allows, all of it in version 1 of MongoDB's Stable API. */
const ALLOWED = ['find', 'insert', 'update', 'findAndModify', 'createIndexes', 'listCollections'];

describe('what is sent to MongoDB', () => {
  const { client, db } = useWatchedDatabase(useMongodb());
  let catalogue: MongoPetCatalogue;

  beforeEach(async () => {
    await prepareDatabase(db());
    catalogue = new MongoPetCatalogue(db(), PATIENT);
    await catalogue.addOnce(REX, 'once');
  });

  const sentBy = async (call: () => Promise<unknown>): Promise<SentCommand[]> => commandsOf(client(), call);
  const addTwice = async (_: unknown, i: number): Promise<unknown> =>
    Promise.all([catalogue.addOnce(REX, `key ${i}`), catalogue.add(REX)]);
  const COUNT = 'findAndModify counters';
  const CALLS: Readonly<Record<string, readonly [call: () => Promise<unknown>, ...sent: string[]]>> = {
    'an animal': [async () => catalogue.add(REX), COUNT, 'insert pets'],
    'an animal that is stored once': [async () => catalogue.addOnce(REX, 'new'), COUNT, 'insert pets'],
    // The insert is refused.
    'a creation that is sent again': [async () => catalogue.addOnce(REX, 'once'), COUNT, 'insert pets', 'find pets'],
    'animals that are restored': [
      async () => catalogue.restore([{ pet: { id: 900n, ...REX } }]),
      'update counters',
      'insert pets',
    ],
    'a look-up of an animal': [async () => catalogue.find(1n), 'find pets'],
    'a list': [async () => catalogue.list({ limit: 5 }), 'find pets'],
    records: [async () => catalogue.records().next(), 'find pets'],
  };
  for (const [what, [call, ...expected]] of Object.entries(CALLS)) {
    it(`is ${expected.join(', ')} for ${what}`, async () => {
      const sent = await sentBy(call);
      expect(sent.map(({ name, command }) => `${name} ${command[name]}`)).to.deep.equal(expected);
    });
  }

  it('is one request for ids and one insert for all creations that arrive together', async () => {
    const sent = await sentBy(async () => Promise.all(Array.from({ length: 200 }, addTwice)));
    expect(sent.map(({ name }) => name)).to.deep.equal(['findAndModify', 'insert']);
  });

  it('is an animal without a digest if it has no idempotency key, and with its 32 bytes if it has one', async () => {
    const documentsOf = async (call: () => Promise<unknown>): Promise<object[]> =>
      (await sentBy(call)).find(({ name }) => name === 'insert')?.command['documents'] as object[];
    const [plain] = await documentsOf(async () => catalogue.add(REX));
    expect(Object.keys(plain ?? {})).to.deep.equal(['_id', ...Object.keys(REX)]);
    const [creation] = await documentsOf(async () => catalogue.addOnce(REX, 'key'));
    expect(creation).to.have.property('digest').with.length(32);
  });

  it('is one find of limit + 1 documents in one batch, by the index that a list needs', async () => {
    const byStatus = { limit: 100, status: 'sold', after: 3n } as const;
    for (const [query, hint] of [
      [{ limit: 1 }, { _id: 1 }],
      [byStatus, { status: 1, _id: 1 }],
    ] as const) {
      const [sent, ...others] = await sentBy(async () => catalogue.list(query));
      expect(others).to.deep.equal([]);
      expect(sent?.command).to.deep.include({ limit: query.limit + 1, singleBatch: true, sort: { _id: 1 }, hint });
      expect(sent?.command['batchSize']).to.be.greaterThan(query.limit);
    }
  });

  it('is answered without members that another program has added, with which an answer could be larger than 16 MiB', async () => {
    const registry = new MongoApiKeyRegistry(db(), PATIENT);
    await apiKeyManagerOf(registry).issue({ name: 'anna' });
    const addPicture = { $set: { picture: 'x' } };
    for (const name of ['pets', 'apiKeys']) await db().collection(name).updateMany({}, addPicture);
    const answers: Document[] = [];
    client().on('commandSucceeded', ({ reply }) => {
      const { cursor } = reply as { readonly cursor: { readonly firstBatch: readonly Document[] } };
      answers.push(...cursor.firstBatch);
    });
    await catalogue.find(1n);
    await catalogue.list({ limit: 1 });
    await catalogue.records().next();
    await registry.list({ limit: 1 });
    expect(answers).to.have.length(4);
    for (const document of answers) expect(document).not.to.have.property('picture');
  });

  it('is nothing for a key that is mistyped, or was verified just before', async () => {
    const keys = patientApiKeys(new MongoApiKeys(db(), PATIENT));
    const { key } = await apiKeyManagerOf(new MongoApiKeyRegistry(db(), PATIENT)).issue({ name: 'anna' });
    await keys.verify(key);
    const mistyped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
    expect(await sentBy(async () => Promise.all([mistyped, key, key].map((k) => keys.verify(k))))).to.deep.equal([]);
  });

  it('is one find of limit + 1 keys, by their ids, for a list of keys', async () => {
    const [sent, ...others] = await sentBy(async () => new MongoApiKeyRegistry(db()).list({ limit: 3 }));
    expect(others).to.deep.equal([]);
    expect(sent?.command).to.deep.include({ find: 'apiKeys', limit: 4, sort: { _id: 1 } });
  });

  for (const operation of OPERATION_NAMES) {
    it(`is by a majority, before the deadline, and allowed to readWrite for ${operation}, and removes nothing`, async () => {
      const deadlineMs = 12_000;
      const limitMs = deadlineMs * PART;
      const sent = await sentBy(async () => OPERATIONS[operation](new Adapters(db(), { deadlineMs })));
      expect(sent).not.to.have.length(0);
      for (const { name, command } of sent) {
        if (name === 'find') {
          expect(command).to.deep.include({ readConcern: { level: 'majority' }, maxTimeMS: limitMs });
        } else expect(command['writeConcern'], name).to.deep.equal({ w: 'majority', j: true, wtimeout: limitMs });
        expect(ALLOWED).to.include(name);
        expect(command['remove'] ?? false).to.equal(false);
      }
    });
  }

  it('is the creation of the indexes to prepare a database, which is allowed to readWrite, and one command to check it', async () => {
    const prepared = await sentBy(async () => prepareDatabase(db()));
    expect(new Set(prepared.map(({ name }) => name))).to.deep.equal(new Set(['createIndexes']));
    expect((await sentBy(async () => checkDatabase(db()))).map(({ name }) => name)).to.deep.equal(['listCollections']);
  });
});
