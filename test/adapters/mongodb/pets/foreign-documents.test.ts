import { expect } from 'chai';
import { Double, type Db } from 'mongodb';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import type { MongoOperation } from '../../../../src/adapters/mongodb/operation.js';
import { INT64_MAX } from '../../../../src/domain/int64.js';
import { MalformedDocumentError } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { PATIENT } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('documents of other programs in MongoDB', () => {
  const mongodb = useMongodb();
  let db: Db;
  let catalogue: MongoPetCatalogue;
  let log: MongoOperation[];

  beforeEach(() => {
    db = mongodb.createDatabase();
    log = [];
    catalogue = new MongoPetCatalogue(db, { ...PATIENT, observe: (operation) => log.push(operation) });
  });

  const put = async (collection: string, document: object): Promise<unknown> =>
    db.collection(collection).insertOne(document);

  for (const [what, document, named, rule] of [
    ['lacks categoryId', { _id: 5n, name: 'Rex' }, '{ _id: 5 }', 'categoryId must be an int64'],
    ['has a string _id', { _id: 'x-1', name: 'Rex', categoryId: 1n }, "{ _id: 'x-1' }", '_id must be an int64'],
    [
      'has a fractional _id',
      { _id: new Double(2.5), name: 'Rex', categoryId: 1n },
      '{ _id: 2.5 }',
      '_id must be an int64',
    ],
    [
      'has a fractional categoryId',
      { _id: 5n, name: 'Rex', categoryId: new Double(1.5) },
      '{ _id: 5 }',
      'categoryId must be an int64',
    ],
    ['has a number for a name', { _id: 5n, name: 3, categoryId: 1n }, '{ _id: 5 }', 'name must be a string'],
    [
      'has an unknown status',
      { _id: 5n, name: 'Rex', categoryId: 1n, status: 'lost' },
      '{ _id: 5 }',
      'status must be one of those of an animal, or be left out',
    ],
  ] as const) {
    it(`make a list reject with an error that names the one that ${what}`, async () => {
      await put('pets', document);
      const error = await rejectionOf(catalogue.list({ limit: 10 }));
      expect(error).to.be.instanceOf(MalformedDocumentError);
      expect(error).to.include({
        name: 'MalformedDocumentError',
        message: `the document ${named} of the collection pets is malformed: ${rule}`,
      });
    });

    it(`do not prevent creations if one ${what}`, async () => {
      await put('pets', document);
      const pet = await catalogue.add(REX);
      expect(await catalogue.find(pet.id)).to.deep.equal(pet);
    });
  }

  for (const [what, last] of [
    ['fractional', new Double(7.5)],
    ['a string', 'seven'],
  ] as const) {
    it(`do not prevent creations if the counter is ${what}, which the observer learns`, async () => {
      await put('pets', { _id: 40n, name: 'Tom', categoryId: 1n });
      await put('counters', { _id: 'pets', last });
      expect((await catalogue.add(REX)).id).to.equal(41n);
      const [error] = log.flatMap((operation) => (operation.error === undefined ? [] : [operation.error]));
      expect(error).to.be.instanceOf(MalformedDocumentError);
      expect((error as Error).message).to.include("the document { _id: 'pets' } of the collection counters");
    });
  }

  it('prevent creations if one has the greatest int64 as its _id, until it is removed', async () => {
    await catalogue.add(REX);
    await put('pets', { _id: INT64_MAX, name: 'Tom', categoryId: 1n });
    const fresh = new MongoPetCatalogue(db, PATIENT);
    const error = await rejectionOf(fresh.add(REX));
    expect(error).to.be.instanceOf(RangeError);
    expect((error as Error).message).to.equal(`the ids are used up: the greatest one is ${INT64_MAX}`);
    // The repair of docs/operating.md.
    await db.collection<{ _id: bigint }>('pets').deleteOne({ _id: INT64_MAX });
    const pet = await fresh.add(REX);
    expect(pet.id < 10_000n).to.equal(true);
    expect(await fresh.find(pet.id)).to.deep.equal(pet);
  });

  it('let new animals have small ids again if one with a large _id is removed and the counter is set back', async () => {
    const great = INT64_MAX - 150n;
    await put('pets', { _id: great, name: 'Tom', categoryId: 1n });
    const first = await catalogue.add(REX);
    expect(first.id > great).to.equal(true);
    // The repair of docs/operating.md.
    await db.collection<{ _id: bigint }>('pets').deleteMany({ _id: { $gte: great } });
    await db.collection<{ _id: string }>('counters').updateOne({ _id: 'pets' }, { $set: { last: 7n } });
    expect((await new MongoPetCatalogue(db, PATIENT).add(REX)).id).to.equal(8n);
  });

  it('do not hide the greatest id of an animal if they have an _id of another type', async () => {
    await put('counters', { _id: 'pets', last: 5n });
    await put('pets', { _id: 40n, name: 'Tom', categoryId: 1n });
    await put('pets', { _id: 'x-1', name: 'Rex', categoryId: 1n });
    await put('pets', { _id: new Double(2.5), name: 'Rex', categoryId: 1n });
    expect((await catalogue.add(REX)).id > 40n).to.equal(true);
  });

  it('do not prevent creations if the counter has no number', async () => {
    await put('pets', { _id: 40n, name: 'Tom', categoryId: 1n });
    await put('counters', { _id: 'pets' });
    expect((await catalogue.add(REX)).id > 40n).to.equal(true);
  });

  it('do not prevent creations if the counter becomes fractional in between', async () => {
    const small = new MongoPetCatalogue(db, { ...PATIENT, idBlockSize: 2 });
    const before = await small.add(REX);
    await db.collection<{ _id: string }>('counters').updateOne({ _id: 'pets' }, { $set: { last: new Double(0.5) } });
    for (let i = 0; i < 20; i++) expect((await small.add(REX)).id > before.id).to.equal(true);
  });
});
