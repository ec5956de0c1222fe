import { expect } from 'chai';
import { type Collection, type Db, Double } from 'mongodb';
import type { MongoOperation } from '../../../../src/adapters/mongodb/operation.js';
import { PetIdCounter } from '../../../../src/adapters/mongodb/pets/pet-id-counter.js';
import { PetIds } from '../../../../src/adapters/mongodb/pets/pet-ids.js';
import type { PetDocument } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { INT64_MAX } from '../../../../src/domain/int64.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { clientOf } from '../client-of.js';
import { setCounter } from './set-counter.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';

const { signal } = new AbortController();
const LIMITS = { signal, startCall: () => ({ maxTimeMS: PATIENT_MS, signal }) };

describe('PetIdCounter', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);
  let pets: Collection<PetDocument>;
  let told: MongoOperation[];
  let counter: PetIdCounter;

  beforeEach(() => {
    pets = petsOf(db());
    told = [];
    counter = counterOf(db());
  });

  function petsOf(of: Db): Collection<PetDocument> {
    return of.collection<PetDocument>('pets', { useBigInt64: true });
  }

  function counterOf(of: Db): PetIdCounter {
    return new PetIdCounter(of, petsOf(of), { ...PATIENT, observe: (one) => told.push(one) });
  }

  it('reserves one block after the other', async () => {
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: 1n, last: 10n });
    expect(await counter.reserve(5, LIMITS)).to.deep.equal({ first: 11n, last: 15n });
    expect(told).to.deep.equal([]);
  });

  it('looks at the animals stored for the first block, and no more', async () => {
    const namesOf = async (): Promise<readonly string[]> =>
      (await commandsOf(client(), async () => counter.reserve(10, LIMITS))).map(({ name }) => name);
    expect(await namesOf()).to.have.members(['findAndModify', 'find']);
    expect(await namesOf()).to.deep.equal(['findAndModify']);
  });

  it('reserves nothing twice if the counter is set back', async () => {
    await counter.reserve(10, LIMITS);
    await setCounter(db(), 0n);
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: 11n, last: 20n });
    expect(told).to.deep.equal([]);
  });

  it('reserves nothing twice if the animals are removed and the counter is set back', async () => {
    await counter.reserve(10, LIMITS);
    counter.suspect();
    await pets.insertOne({ _id: 3n, name: 'Rex', categoryId: 7n });
    await setCounter(db(), 0n);
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: 11n, last: 20n });
  });

  it('does not reserve the id of an animal that is stored', async () => {
    await pets.insertOne({ _id: 5n, name: 'Rex', categoryId: 7n });
    await setCounter(db(), 4n);
    expect((await counter.reserve(10, LIMITS)).first > 5n).to.equal(true);
  });

  for (const [what, ids, first] of [
    ['whole doubles, which lists show', [19_999, 20_000], 20_001n],
    ['doubles and int64', [new Double(20_000), 30_000n], 30_001n],
    ['int64 and doubles', [20_000n, new Double(30_000)], 30_001n],
    ['doubles that are not whole', [20_007.5], 20_008n],
    ['doubles that lists do not show, as they may have been rounded', [2 ** 60, 20_000], 20_001n],
    ['values that are no numbers', ['x', 20_000], 20_001n],
  ] as const) {
    it(`begins beyond the greatest id if the animals of another program have ${what}`, async () => {
      const documents = ids.map((_id) => ({ _id: typeof _id === 'number' ? new Double(_id) : _id, name: 'Rex' }));
      await db().collection<{ _id: unknown }>('pets').insertMany(documents);
      expect((await counter.reserve(10, LIMITS)).first).to.equal(first);
    });
  }

  it('reserves the last ids of all, and none beyond them', async () => {
    await pets.insertOne({ _id: INT64_MAX - 10n, name: 'Rex', categoryId: 7n });
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: INT64_MAX - 9n, last: INT64_MAX });
    expect(await rejectionOf(counter.reserve(10, LIMITS)))
      .to.be.instanceOf(RangeError)
      .with.property('message', `the ids are used up: the greatest one is ${INT64_MAX}`);
  });

  it('compares a block with the animals stored if it was made suspect while it reserved the block', async () => {
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: 1n, last: 10n });
    await pets.insertOne({ _id: 500n, name: 'Rex', categoryId: 7n });
    const reserving = counter.reserve(10, LIMITS);
    counter.suspect();
    expect(await reserving).to.deep.equal({ first: 501n, last: 510n });
  });

  it('tells the observer that it replaces a counter that is not an integer', async () => {
    await db().collection<{ _id: string; last: string }>('counters').insertOne({ _id: 'pets', last: 'seven' });
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: 1n, last: 10n });
    const [{ error, ...rest } = {}] = told as readonly Partial<MongoOperation>[];
    expect(rest).to.deep.equal({ name: 'ids.reserve', outcome: 'failed', count: 0, durationMs: 0 });
    expect(error).to.have.property(
      'message',
      "the document { _id: 'pets' } of the collection counters is malformed: last must be an int64; it is replaced",
    );
  });

  describe('on a server that refuses', () => {
    const ERROR = { errmsg: 'no', codeName: 'Any' };

    /** What a reservation rejects with, and how often it was tried, if the server refuses commands so. */
    async function refused(code: number, commands: readonly string[]): Promise<{ error: unknown; tries: number }> {
      const server = await startDatalessMongodb();
      const dataless = clientOf(server);
      let tries = 0;
      server.refuse({ ...ERROR, code }, commands, (name) => (tries += name === 'findAndModify' ? 1 : 0));
      return { error: await rejectionOf(counterOf(dataless.db()).reserve(10, LIMITS)), tries };
    }

    it('rejects immediately with an error that does not concern the counter', async () => {
      const { error, tries } = await refused(13, ['findAndModify']);
      expect(error).to.have.property('code', 13);
      expect(tries).to.equal(1);
    });

    it('gives up after five attempts if the counter does not advance', async () => {
      const { error, tries } = await refused(14, ['findAndModify']);
      expect(error).to.have.property('message', 'the counter of the ids does not advance');
      expect(tries).to.equal(5);
    });
  });
});

describe('PetIds', () => {
  const mongodb = useMongodb();

  it('assigns no id beyond its blocks, between which another process has reserved some', async () => {
    const db = mongodb.createDatabase();
    const pets = db.collection<PetDocument>('pets', { useBigInt64: true });
    const options = { ...PATIENT, observe: undefined };
    const ids = new PetIds(new PetIdCounter(db, pets, options), { blockSize: 4, ...options });
    const given = [await ids.next(LIMITS)];
    const other = await new PetIdCounter(db, pets, options).reserve(100, LIMITS);
    for (let i = 0; i < 8; i++) given.push(await ids.next(LIMITS));
    expect(given[0]).to.equal(1n);
    expect(given.filter((id) => id >= other.first && id <= other.last)).to.deep.equal([]);
    expect(given.slice(0, 4)).to.deep.equal([1n, 2n, 3n, 4n]);
  });
});
