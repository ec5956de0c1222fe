import { expect } from 'chai';
import type { Db } from 'mongodb';
import type { MongoOperation } from '../../../../src/adapters/mongodb/operation.js';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { setCounter } from './set-counter.js';
import { PATIENT } from '../../../support/patience.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'sold' } as const;

function ascending(ids: readonly bigint[]): bigint[] {
  return [...ids].sort((a, b) => (a < b ? -1 : 1));
}

describe('the ids of animals in MongoDB', () => {
  const mongodb = useMongodb();
  let db: Db;

  beforeEach(async () => {
    db = mongodb.createDatabase();
    await new MongoPetCatalogue(db, PATIENT).init();
  });

  async function addMany(catalogue: MongoPetCatalogue, count: number): Promise<bigint[]> {
    const pets = await Promise.all(Array.from({ length: count }, async () => catalogue.add(REX)));
    return pets.map(({ id }) => id);
  }

  it('begin with 1 and ascend in the order of the calls, over many blocks too', async () => {
    const ids = await addMany(new MongoPetCatalogue(db, { ...PATIENT, idBlockSize: 7 }), 100);
    // A reservation that is late is tried again, and leaves a gap behind its block.
    expect(ids.slice(0, 7)).to.deep.equal([1n, 2n, 3n, 4n, 5n, 6n, 7n]);
    expect(ids).to.deep.equal(ascending(ids));
    expect(new Set(ids).size).to.equal(100);
  });

  it('are greater than all before when the counter was lost', async () => {
    await addMany(new MongoPetCatalogue(db, PATIENT), 130);
    await db.collection('pets').deleteMany({ _id: { $lte: 110n } } as object);
    await db.collection('counters').drop();
    expect(await addMany(new MongoPetCatalogue(db, PATIENT), 3)).to.deep.equal([131n, 132n, 133n]);
  });

  for (const [what, last] of [
    ['back', 10n],
    ['to zero', 0n],
    ['below zero', -5000n],
  ] as const) {
    it(`are unique when the counter was set ${what}, and soon greater than all`, async () => {
      await addMany(new MongoPetCatalogue(db, { ...PATIENT, idBlockSize: 40 }), 35);
      await setCounter(db, last);
      const ids = await addMany(new MongoPetCatalogue(db, PATIENT), 50);
      expect(new Set(ids).size).to.equal(50);
      expect(ids.every((id) => id > 35n)).to.equal(true);
      expect(await db.collection('pets').countDocuments()).to.equal(85);
    });

    it(`keep ascending in a process that runs while the counter is set ${what}`, async () => {
      const catalogue = new MongoPetCatalogue(db, { ...PATIENT, idBlockSize: 10 });
      const before = await addMany(catalogue, 55);
      await setCounter(db, last);
      const ids = [...before, ...(await addMany(catalogue, 55))];
      expect(ids).to.deep.equal(ascending(ids));
      expect(new Set(ids).size).to.equal(110);
    });
  }

  it('are beyond the animals that another program stored in the meantime without the counter', async () => {
    const catalogue = new MongoPetCatalogue(db, { ...PATIENT, idBlockSize: 10 });
    await addMany(catalogue, 1);
    const pets = db.collection<{ _id: bigint; name: string; categoryId: bigint }>('pets');
    const ids = Array.from({ length: 3000 }, (_, i) => BigInt(i + 2));
    await pets.insertMany(ids.map((_id) => ({ _id, name: 'Rex', categoryId: 7n })));
    expect((await addMany(catalogue, 1))[0]).to.satisfy((id: bigint) => id > 3001n);
  });

  it('are assigned if many processes create the counter concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const fresh = mongodb.createDatabase();
      const many = Array.from({ length: 8 }, () => new MongoPetCatalogue(fresh, PATIENT));
      const ids = (await Promise.all(many.map(async (one) => one.add(REX)))).map(({ id }) => id);
      expect(new Set(ids).size).to.equal(8);
    }
  });

  it('are unique when two processes were given the same block', async () => {
    const [one, two] = [new MongoPetCatalogue(db, PATIENT), new MongoPetCatalogue(db, PATIENT)];
    await addMany(one, 1);
    await setCounter(db, 0n);
    await addMany(two, 1);
    const ids = (await Promise.all([addMany(one, 150), addMany(two, 150)])).flat();
    expect(new Set(ids).size).to.equal(300);
    expect(await db.collection('pets').countDocuments()).to.equal(302);
  });

  it('are reserved in blocks of at most 10,000', async () => {
    const sizes: number[] = [];
    const observe = ({ count }: MongoOperation): unknown => sizes.push(count);
    await new MongoPetCatalogue(db, { ...PATIENT, idBlockSize: 25_000, observe }).add(REX);
    expect(sizes[0]).to.equal(10_000);
  });

  it('are exact beyond 2^53', async () => {
    await setCounter(db, 2n ** 62n);
    const catalogue = new MongoPetCatalogue(db, PATIENT);
    const pet = await catalogue.add(REX);
    expect(pet.id).to.equal(2n ** 62n + 1n);
    expect(await catalogue.find(pet.id)).to.deep.equal(pet);
    expect(await catalogue.list({ limit: 1, after: 2n ** 62n })).to.deep.equal({ pets: [pet] });
  });
});
