import { expect } from 'chai';
import { Double, type Db } from 'mongodb';
import type { MongoOperation } from '../../../../src/adapters/mongodb/operation.js';
import { MalformedDocumentError } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import {
  MongoPetCatalogue,
  type MongoPetCatalogueOptions,
} from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { INT64_MAX } from '../../../../src/domain/int64.js';
import type { Pet } from '../../../../src/domain/pet.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { PATIENT } from '../../../support/patience.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { clientOf } from '../client-of.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { setCounter } from './set-counter.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

function ascending(ids: readonly bigint[]): bigint[] {
  return [...ids].sort((a, b) => (a < b ? -1 : 1));
}

async function addMany(catalogue: MongoPetCatalogue, count: number): Promise<bigint[]> {
  const pets = await Promise.all(Array.from({ length: count }, async () => catalogue.add(REX)));
  return pets.map(({ id }) => id);
}

/** Expects consecutive ids behind the last one, or behind the blocks of at most two reservations that were late and tried again. */
function expectNext(last: bigint, ids: readonly bigint[]): void {
  const [first = 0n] = ids;
  expect(first).to.satisfy((id: bigint) => id > last && id <= last + 201n);
  expect(ids).to.deep.equal(ids.map((_, i) => first + BigInt(i)));
}

describe('the ids of animals in MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  /** A catalogue as another process has it. */
  const open = (options: MongoPetCatalogueOptions = {}, of: Db = db()): MongoPetCatalogue =>
    new MongoPetCatalogue(of, { ...PATIENT, ...options });

  /** Stores animals of another program, which does not use the counter. */
  async function store(...ids: readonly unknown[]): Promise<void> {
    const documents = ids.map((_id) => ({ _id, ...REX }));
    await db().collection<{ _id: unknown }>('pets').insertMany(documents);
  }

  it('begin with 1 and ascend in the order of the calls, over many blocks too', async () => {
    const ids = await addMany(open({ idBlockSize: 7 }), 100);
    expectNext(0n, ids.slice(0, 7));
    expect(ids).to.deep.equal(ascending(ids));
    expect(new Set(ids).size).to.equal(100);
  });

  it('are none of those that another process has reserved', async () => {
    const sent = await commandsOf(client(), async () => {
      const catalogue = open({ idBlockSize: 4 });
      await catalogue.add(REX);
      await open().add(REX);
      for (let i = 0; i < 8; i++) await catalogue.add(REX);
    });
    // None was refused and sent again.
    expect(sent.filter(({ name }) => name === 'insert')).to.have.length(10);
  });

  it('are greater than all before when the counter was lost', async () => {
    await addMany(open(), 130);
    await db()
      .collection('pets')
      .deleteMany({ _id: { $lte: 110n } } as object);
    await db().collection('counters').drop();
    expectNext(130n, await addMany(open(), 3));
  });

  for (const [what, last] of [
    ['back', 10n],
    ['to zero', 0n],
    ['below zero', -5000n],
  ] as const) {
    it(`are unique when the counter was set ${what}, and soon greater than all`, async () => {
      await addMany(open({ idBlockSize: 40 }), 35);
      await setCounter(db(), last);
      const ids = await addMany(open(), 50);
      expect(new Set(ids).size).to.equal(50);
      expect(ids.every((id) => id > 35n)).to.equal(true);
      expect(await db().collection('pets').countDocuments()).to.equal(85);
    });

    it(`keep ascending in a process that runs while the animals are removed and the counter is set ${what}`, async () => {
      const catalogue = open({ idBlockSize: 10 });
      const before = await addMany(catalogue, 55);
      await db().collection('pets').deleteMany({});
      await setCounter(db(), last);
      // More than it has reserved ahead.
      const ids = [...before, ...(await addMany(catalogue, 500))];
      expect(ids).to.deep.equal(ascending(ids));
      expect(new Set(ids).size).to.equal(555);
    });
  }

  for (const [what, add] of Object.entries({
    added: async (catalogue) => catalogue.add(REX),
    'added once': async (catalogue) => (await catalogue.addOnce(REX, 'a key')).pet,
    'added once together': async (catalogue) =>
      (await catalogue.addManyOnce([{ newPet: REX, idempotencyKey: 'a key' }]))[0]?.pet,
  } satisfies Record<string, (catalogue: MongoPetCatalogue) => Promise<Pet | undefined>>)) {
    it(`are beyond the animals that another program stored in the meantime without the counter: ${what}`, async () => {
      const catalogue = open({ idBlockSize: 10 });
      const { id: last } = await catalogue.add(REX);
      await store(...Array.from({ length: 3000 }, (_, i) => last + BigInt(i + 1)));
      expect((await add(catalogue))?.id).to.satisfy((id: bigint) => id > last + 3000n);
    });
  }

  for (const [what, ids, first] of [
    ['whole doubles, which lists show', [19_999, 20_000], 20_001n],
    ['doubles and int64', [20_000, 30_000n], 30_001n],
    ['int64 and doubles', [20_000n, 30_000], 30_001n],
    ['doubles that are not whole', [20_007.5], 20_008n],
    ['doubles that lists do not show, as they may have been rounded', [2 ** 60, 20_000], 20_001n],
    ['values that are not numbers', ['x', 20_000], 20_001n],
  ] as const) {
    it(`begin beyond the greatest one if the animals of another program have ${what}`, async () => {
      await store(...ids.map((id) => (typeof id === 'number' ? new Double(id) : id)));
      expectNext(first - 1n, await addMany(open(), 1));
    });
  }

  for (const [what, last] of [
    ['a string', 'seven'],
    ['fractional', new Double(7.5)],
  ] as const) {
    it(`begin beyond the greatest one if the counter is ${what}, of which the observer is told`, async () => {
      const errors: unknown[] = [];
      const observe = ({ name, outcome, error }: MongoOperation): unknown =>
        outcome === 'ok' || errors.push(`${name} ${outcome}`, error);
      await store(40n);
      await setCounter(db(), last);
      expectNext(40n, await addMany(open({ observe }), 2));
      expect(errors[0]).to.equal('ids.reserve failed');
      expect(errors[1]).to.be.instanceOf(MalformedDocumentError);
      expect((errors[1] as Error).message).to.include("{ _id: 'pets' } of the collection counters is malformed");
    });
  }

  it('begin beyond the greatest one if the counter has no number', async () => {
    await store(40n);
    await db().collection<{ _id: string }>('counters').insertOne({ _id: 'pets' });
    expectNext(40n, await addMany(open({ idBlockSize: 10 }), 1));
  });

  it('are none beyond the last one', async () => {
    await store(INT64_MAX);
    expect(await rejectionOf(open().add(REX)))
      .to.be.instanceOf(RangeError)
      .with.property('message', `the ids are used up: the greatest one is ${INT64_MAX}`);
  });

  it('are assigned if many processes create the counter concurrently', async () => {
    for (let round = 0; round < 10; round++) {
      const fresh = mongodb.createDatabase();
      const many = Array.from({ length: 8 }, () => open({}, fresh));
      const ids = (await Promise.all(many.map(async (one) => one.add(REX)))).map(({ id }) => id);
      expect(new Set(ids).size).to.equal(8);
    }
  });

  it('are unique when two processes were given the same block', async () => {
    const [one, two] = [open(), open()];
    await addMany(one, 1);
    await setCounter(db(), 0n);
    await addMany(two, 1);
    const ids = (await Promise.all([addMany(one, 150), addMany(two, 150)])).flat();
    expect(new Set(ids).size).to.equal(300);
    expect(await db().collection('pets').countDocuments()).to.equal(302);
  });

  it('are reserved in blocks of at most 10,000', async () => {
    const sizes: number[] = [];
    const observe = ({ count }: MongoOperation): unknown => sizes.push(count);
    await open({ idBlockSize: 25_000, observe }).add(REX);
    expect(sizes[0]).to.equal(10_000);
  });

  it('are not asked for more than five times if the counter does not advance', async () => {
    const server = await startDatalessMongodb();
    server.refuse({ code: 14, codeName: 'TypeMismatch', errmsg: 'no' }, ['findAndModify']);
    const dataless = clientOf(server, { monitorCommands: true });
    let error: unknown;
    const sent = await commandsOf(dataless, async () => (error = await rejectionOf(open({}, dataless.db()).add(REX))));
    expect(error).to.have.property('message', 'the counter of the ids does not advance');
    expect(sent.filter(({ name }) => name === 'findAndModify')).to.have.length(5);
  });
});
