import { expect } from 'chai';
import { Binary, Double, Int32, ObjectId, type Document } from 'mongodb';
import { INDEXES, makeIndexes } from '../../../../src/adapters/mongodb/schema/indexes.js';
import { plannedChanges, SCHEMAS, type Change } from '../../../../src/adapters/mongodb/schema/migration.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { INT64_MAX, INT64_MIN } from '../../../../src/domain/int64.js';
import { PET_STATUSES } from '../../../../src/domain/pet-status.js';
import { NAME_MAX_LENGTH } from '../../../../src/domain/pet.js';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { compileBsonSchema } from './bson-schema.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { clientOf } from '../client-of.js';
import { PATIENT } from '../../../support/patience.js';

const PET = { _id: 5n, name: 'Rex', categoryId: 7n };
const KEY = { _id: 'k1', digest: Buffer.alloc(32), name: 'anna', createdAt: new Date() };

const DIGEST = new Binary(Buffer.alloc(32));
const STRICT = { validationLevel: 'strict', validationAction: 'error' };

/** Documents of other programs that each validator must refuse. */
const MALFORMED: Readonly<Record<string, Readonly<Record<string, Document>>>> = {
  pets: {
    'lacks a name': { _id: 5n, categoryId: 7n },
    'lacks a categoryId': { _id: 5n, name: 'Rex' },
    'has a string _id': { ...PET, _id: 'x-1' },
    'has an ObjectId': { ...PET, _id: new ObjectId() },
    'has a fractional _id': { ...PET, _id: new Double(2.5) },
    'has a double for an _id': { ...PET, _id: new Double(5) },
    'has the _id 0': { ...PET, _id: 0n },
    'has a negative _id': { ...PET, _id: -1n },
    'has an empty name': { ...PET, name: '' },
    'has a name that is too long': { ...PET, name: '😀'.repeat(NAME_MAX_LENGTH + 1) },
    'has a number for a name': { ...PET, name: 3 },
    'has a fractional categoryId': { ...PET, categoryId: new Double(1.5) },
    'has an unknown status': { ...PET, status: 'lost' },
    'has null for a status': { ...PET, status: null },
    'has a string for its mark': { ...PET, once: 'abc' },
  },
  creations: {
    'lacks its animal': { _id: DIGEST, at: new Date() },
    'lacks its date': { _id: DIGEST, pet: PET },
    'has a string _id': { _id: 'abc', pet: PET, at: new Date() },
    'has a number for its date': { _id: DIGEST, pet: PET, at: 1 },
    'has an animal without a name': { _id: DIGEST, pet: { _id: 5n, categoryId: 7n }, at: new Date() },
  },
  counters: {
    'lacks its number': { _id: 'pets' },
    'has a string for its number': { _id: 'pets', last: '7' },
    'has a fractional number': { _id: 'pets', last: new Double(7.5) },
  },
  apiKeys: {
    'lacks a digest': { _id: 'k1', name: 'anna', createdAt: new Date() },
    'lacks a name': { _id: 'k1', digest: Buffer.alloc(32), createdAt: new Date() },
    'lacks the date of its creation': { _id: 'k1', digest: Buffer.alloc(32), name: 'anna' },
    'has an ObjectId': { ...KEY, _id: new ObjectId() },
    'has a string for a digest': { ...KEY, digest: 'abc' },
    'has a number for a name': { ...KEY, name: 3 },
    'has a string for a date': { ...KEY, createdAt: '2026-01-01T00:00:00Z' },
    'has a number for its expiry': { ...KEY, expiresAt: 1 },
    'has true for its revocation': { ...KEY, revokedAt: true },
    'has a string for its life': { ...KEY, lifetimeMs: '90d' },
  },
};

describe('the validators of MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);
  const accepts = (collection: string, document: Document): boolean =>
    compileBsonSchema(SCHEMAS[collection] ?? {})(document);

  it('accept every animal that the adapter stores', async () => {
    const catalogue = new MongoPetCatalogue(db(), PATIENT);
    for (const categoryId of [INT64_MIN, 0n, INT64_MAX]) {
      for (const status of [undefined, ...PET_STATUSES]) {
        for (const name of ['x', '😀'.repeat(NAME_MAX_LENGTH)]) {
          const newPet = { name, categoryId, ...(status && { status }) };
          const sent = await commandsOf(client(), async () => catalogue.add(newPet));
          const insert = sent.find((command) => command.name === 'insert')?.command as { documents: [Document] };
          expect(accepts('pets', insert.documents[0]), `${status} ${categoryId}`).to.equal(true);
        }
      }
    }
    const sent = await commandsOf(client(), async () => catalogue.addOnce({ name: 'Rex', categoryId: 7n }, 'once'));
    for (const { name, command } of sent) {
      const { insert, documents } = command as { readonly insert: string; readonly documents: [Document] };
      if (name === 'insert') expect(accepts(insert, documents[0])).to.equal(true);
    }
    const counter = await db().collection('counters').findOne({}, { useBigInt64: true });
    expect(accepts('counters', counter ?? {})).to.equal(true);
  });

  it('accept every API key that the adapter stores, rotated and revoked ones too', async () => {
    const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db(), PATIENT));
    await manager.issue({ name: 'anna' });
    const { id } = await manager.issue({ name: 'ben', lifetimeMs: 90 * 86_400_000 });
    await manager.rotate(id, { overlapMs: 1000 });
    await manager.revoke(id);
    const documents = await db().collection('apiKeys').find().toArray();
    expect(documents).to.have.length(3);
    for (const document of documents) expect(accepts('apiKeys', document)).to.equal(true);
  });

  it('accept integers that another program stored as int32', () => {
    expect(accepts('pets', { _id: new Int32(5), name: 'Rex', categoryId: new Int32(7) })).to.equal(true);
    expect(accepts('counters', { _id: 'pets', last: new Int32(7) })).to.equal(true);
    expect(accepts('apiKeys', { ...KEY, digest: new Binary(Buffer.alloc(32)), lifetimeMs: 5 })).to.equal(true);
  });

  for (const [collection, documents] of Object.entries(MALFORMED)) {
    for (const [what, document] of Object.entries(documents)) {
      it(`refuse a document of ${collection} that ${what}`, () => {
        expect(accepts(collection, document)).to.equal(false);
      });
    }
  }

  it('are set on existing collections', async () => {
    await makeIndexes(db(), INDEXES);
    const [change] = await plannedChanges(db(), { validate: true });
    // Servers that stand in for MongoDB may not know the command, which is sent all the same.
    const sent = await commandsOf(client(), async () => change?.apply().catch(() => undefined));
    const command = sent.find(({ name }) => name === 'collMod')?.command;
    expect(command).to.deep.include({ collMod: 'pets', validator: { $jsonSchema: SCHEMAS['pets'] }, ...STRICT });
  });

  it('are not set again if nothing has changed', async () => {
    const server = await startDatalessMongodb();
    const watched = clientOf(server, { monitorCommands: true });
    const entries = Object.entries(SCHEMAS).map(([name, $jsonSchema]) => ({
      name,
      options: name === 'pets' ? {} : { validator: { $jsonSchema } },
    }));
    server.answer('listCollections', entries);
    let changes: readonly Change[] = [];
    const sent = await commandsOf(watched, async () => {
      changes = await plannedChanges(watched.db('zoo'), { validate: true });
    });
    const descriptions = changes.map(({ description }) => description);
    expect(descriptions.filter((description) => description.includes('validator'))).to.deep.equal([
      'set the validator of pets',
    ]);
    // With the names alone, the server would leave the validators out.
    expect(sent.find(({ name }) => name === 'listCollections')?.command).to.include({ nameOnly: false });
  });

  it('are created together with missing collections', async () => {
    const server = await startDatalessMongodb();
    const watched = clientOf(server, { monitorCommands: true });
    const [, , , change] = await plannedChanges(watched.db('zoo'), { validate: true });
    const sent = await commandsOf(watched, async () => change?.apply());
    expect(sent[0]?.command).to.deep.include({ listCollections: 1, filter: { name: 'pets' } });
    const command = sent.find(({ name }) => name === 'create')?.command;
    expect(command).to.deep.include({ create: 'pets', validator: { $jsonSchema: SCHEMAS['pets'] }, ...STRICT });
  });
});

describe('the validators of a real mongod', () => {
  const mongodb = useMongodb({ needsMongod: true });
  const DOCUMENT_VALIDATION_FAILURE = 121;

  it('refuse malformed documents and accept those of the adapter, and need no change after that', async () => {
    const db = mongodb.createDatabase();
    await makeIndexes(db, INDEXES);
    for (const { apply } of await plannedChanges(db, { validate: true })) await apply();
    expect(await plannedChanges(db, { validate: true })).to.deep.equal([]);
    const catalogue = new MongoPetCatalogue(db, PATIENT);
    await catalogue.add({ name: 'Rex', categoryId: 7n });
    for (let i = 0; i < 2; i++) await catalogue.addOnce({ name: 'Rex', categoryId: 7n }, 'once');
    const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db, PATIENT));
    const { id } = await manager.issue({ name: 'anna', lifetimeMs: 86_400_000 });
    await manager.rotate(id, { overlapMs: 0 });
    await manager.revoke(id);
    for (const [collection, documents] of Object.entries(MALFORMED)) {
      for (const [what, document] of Object.entries(documents)) {
        const error = await rejectionOf(db.collection(collection).insertOne({ ...document }));
        expect(error, `${collection}: ${what}`).to.have.property('code', DOCUMENT_VALIDATION_FAILURE);
      }
    }
  });
});
