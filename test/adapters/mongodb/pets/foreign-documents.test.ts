import { expect } from 'chai';
import { Double, type Db } from 'mongodb';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { INT64_MAX } from '../../../../src/domain/int64.js';
import { MalformedDocumentError } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { PATIENT } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n } as const;
const [X_80, X_98] = ['x'.repeat(80), 'x'.repeat(98)];

describe('documents of other programs in MongoDB', () => {
  const mongodb = useMongodb();
  let db: Db;
  let catalogue: MongoPetCatalogue;

  beforeEach(() => {
    db = mongodb.createDatabase();
    catalogue = new MongoPetCatalogue(db, PATIENT);
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
    ['has an _id of 100 characters', { _id: X_98, ...REX }, `{ _id: '${X_98}' }`, '_id must be an int64'],
    ['has a longer _id', { _id: `${X_98}xxx`, ...REX }, `{ _id: '${X_98}x }`, '_id must be an int64'],
    [
      'has an _id of members',
      { _id: { a: X_80, b: 1 }, ...REX },
      `{ _id: { a: '${X_80}', b: 1 } }`,
      '_id must be an int64',
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
    // A reservation that is late is tried again, and leaves a gap of 100 ids: at most two are.
    expect(Number((await new MongoPetCatalogue(db, PATIENT).add(REX)).id)).to.be.within(8, 208);
  });
});
