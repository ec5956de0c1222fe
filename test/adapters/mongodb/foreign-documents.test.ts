import { expect } from 'chai';
import { Decimal128, Double, ObjectId, type Db } from 'mongodb';
import { hash } from 'node:crypto';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { MalformedDocumentError } from '../../../src/adapters/mongodb/pet-document.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { INT64_MAX } from '../../../src/domain/int64.js';
import type { PetRecord } from '../../../src/domain/pet-catalogue.js';
import { PATIENT } from '../../support/patience.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { useMongodb } from '../../support/use-mongodb.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('documents of other programs in MongoDB', () => {
  const mongodb = useMongodb();
  let db: Db;
  let catalogue: MongoPetCatalogue;

  beforeEach(async () => {
    db = mongodb.createDatabase();
    await prepareDatabase(db);
    catalogue = new MongoPetCatalogue(db, PATIENT);
  });

  const put = async (...documents: object[]): Promise<unknown> => db.collection('pets').insertMany(documents);

  const records = async (): Promise<PetRecord[]> => {
    const found: PetRecord[] = [];
    for await (const record of catalogue.records()) found.push(record);
    return found;
  };

  it('are animals if their ids and categories are whole numbers of any type', async () => {
    await put({ _id: 5, ...REX, categoryId: 7 }, { _id: new Double(6), ...REX, categoryId: new Double(7) });
    const pets = [5n, 6n].map((id) => ({ id, ...REX }));
    expect(await catalogue.list({ limit: 10 })).to.deep.equal({ pets });
    expect(await catalogue.find(6n)).to.deep.equal(pets[1]);
  });

  it('are no animals, for any call, if their ids are no int64 of 1 or more', async () => {
    const ids = ['x', new ObjectId(), { a: 1 }, -5n, 0n, new Double(2.5), 2 ** 60, Decimal128.fromString('3'), true];
    await put(...ids.map((_id) => ({ _id, name: '', status: 'sold' })));
    await put({ _id: 2n, ...REX, status: 'sold' }, { _id: 4n, ...REX, status: 'sold' });
    const [two, four] = [2n, 4n].map((id) => ({ id, ...REX, status: 'sold' }));
    for (const query of [{}, { status: 'sold' }, { after: 0n }] as const) {
      expect(await catalogue.list({ limit: 10, ...query })).to.deep.equal({ pets: [two, four] });
      expect(await catalogue.list({ limit: 1, ...query })).to.deep.equal({ pets: [two], next: 2n });
    }
    for (const id of [-5n, 0n, 3n, 2n ** 60n]) expect(await catalogue.find(id)).to.equal(undefined);
    expect(await records()).to.deep.equal([{ pet: two }, { pet: four }]);
  });

  for (const [what, members, rule] of [
    ['lacks categoryId', { name: 'Rex' }, 'categoryId must be an integer'],
    ['has a fractional categoryId', { name: 'Rex', categoryId: new Double(1.5) }, 'categoryId must be an integer'],
    ['has an empty name', { ...REX, name: '' }, 'name must be a string of 1 to 1024'],
    ['has an unknown status', { ...REX, status: 'lost' }, 'status must be one of'],
  ] as const) {
    it(`make each call that meets it reject with an error that names the one that ${what}`, async () => {
      await put({ _id: 5n, ...members }, { _id: 6n, ...REX });
      for (const call of [async () => catalogue.list({ limit: 10 }), async () => catalogue.find(5n), records]) {
        const error = await rejectionOf(call());
        expect(error).to.be.instanceOf(MalformedDocumentError);
        expect((error as Error).message)
          .to.include('the document { _id: 5 } of the collection pets is malformed')
          .and.include(rule);
      }
      expect(await catalogue.find(6n)).to.deep.equal({ id: 6n, ...REX });
    });
  }

  for (const _id of ['x', -5n]) {
    it(`fail the creation, and are a conflict of a restoration, whose digest one with the _id ${String(_id)} has`, async () => {
      const digest = hash('sha256', 'order 1');
      await put({ _id, ...REX, digest: Buffer.from(digest, 'hex') });
      const error = await rejectionOf(catalogue.addOnce(REX, 'order 1'));
      expect(error).to.be.instanceOf(MalformedDocumentError);
      expect((error as Error).message)
        .to.include(String(_id))
        .and.include('_id must be an integer from 1');
      const restored = await catalogue.restore([
        { pet: { id: 7n, ...REX }, idempotencyDigest: digest },
        { pet: { id: 8n, ...REX } },
      ]);
      expect(restored).to.deep.equal({ restored: 1, unchanged: 0, conflicts: [0] });
    });
  }

  it('prevent creations if one has the greatest int64 as its _id, until it is removed', async () => {
    await catalogue.add(REX);
    await put({ _id: INT64_MAX, ...REX });
    const fresh = new MongoPetCatalogue(db, PATIENT);
    const error = await rejectionOf(fresh.add(REX));
    expect(error).to.be.instanceOf(RangeError);
    expect((error as Error).message).to.equal(`the ids are used up: the greatest one is ${INT64_MAX}`);
    // The repair of docs/operating/mongodb.md.
    await db.collection<{ _id: bigint }>('pets').deleteOne({ _id: INT64_MAX });
    await db.collection<{ _id: string }>('counters').updateOne({ _id: 'pets' }, { $set: { last: 1n } });
    expect(await new MongoPetCatalogue(db, PATIENT).add(REX)).to.deep.equal({ id: 2n, ...REX });
  });
});
