import { expect } from 'chai';
import { type Collection, type Db, Double } from 'mongodb';
import type { MongoOperation } from '../../../../src/adapters/mongodb/operation.js';
import { LEASE_MS, PetIdCounter } from '../../../../src/adapters/mongodb/pets/pet-id-counter.js';
import { PetIds, type PetIdsOptions } from '../../../../src/adapters/mongodb/pets/pet-ids.js';
import { MalformedDocumentError, type PetDocument } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { INT64_MAX } from '../../../../src/domain/int64.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
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
    expect(await counter.reserve(10, LIMITS)).to.deep.include({ first: 1n, last: 10n });
    expect(await counter.reserve(5, LIMITS)).to.deep.include({ first: 11n, last: 15n });
    expect(told).to.deep.equal([]);
  });

  it('compares only the first block with the stored animals', async () => {
    const namesOf = async (): Promise<readonly string[]> =>
      (await commandsOf(client(), async () => counter.reserve(10, LIMITS))).map(({ name }) => name);
    expect(await namesOf()).to.have.members(['findAndModify', 'find']);
    expect(await namesOf()).to.deep.equal(['findAndModify']);
  });

  it('reserves nothing twice if the counter is set back', async () => {
    await counter.reserve(10, LIMITS);
    await setCounter(db(), 0n);
    expect(await counter.reserve(10, LIMITS)).to.deep.include({ first: 11n, last: 20n });
    expect(told).to.deep.equal([]);
  });

  it('reserves nothing twice if the animals are removed and the counter is set back', async () => {
    await counter.reserve(10, LIMITS);
    counter.suspect();
    await pets.insertOne({ _id: 3n, name: 'Rex', categoryId: 7n });
    await setCounter(db(), 0n);
    expect(await counter.reserve(10, LIMITS)).to.deep.include({ first: 11n, last: 20n });
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
    ['values that are not numbers', ['x', 20_000], 20_001n],
  ] as const) {
    it(`begins beyond the greatest id if the animals of another program have ${what}`, async () => {
      const documents = ids.map((_id) => ({ _id: typeof _id === 'number' ? new Double(_id) : _id, name: 'Rex' }));
      await db().collection<{ _id: unknown }>('pets').insertMany(documents);
      expect((await counter.reserve(10, LIMITS)).first).to.equal(first);
    });
  }

  it('reserves the last ids of all, and none beyond them', async () => {
    await pets.insertOne({ _id: INT64_MAX - 10n, name: 'Rex', categoryId: 7n });
    expect(await counter.reserve(10, LIMITS)).to.deep.include({ first: INT64_MAX - 9n, last: INT64_MAX });
    expect(await rejectionOf(counter.reserve(10, LIMITS)))
      .to.be.instanceOf(RangeError)
      .with.property('message', `the ids are used up: the greatest one is ${INT64_MAX}`);
  });

  it('compares a block with the stored animals if it was made suspect in the meantime', async () => {
    expect(await counter.reserve(10, LIMITS)).to.deep.include({ first: 1n, last: 10n });
    await pets.insertOne({ _id: 500n, name: 'Rex', categoryId: 7n });
    const reserving = counter.reserve(10, LIMITS);
    counter.suspect();
    expect(await reserving).to.deep.include({ first: 501n, last: 510n });
  });

  for (const [what, last] of [
    ['a string', 'seven'],
    ['fractional', new Double(7.5)],
  ] as const) {
    it(`replaces the number of the counter if it is ${what}, and tells the observer`, async () => {
      await pets.insertOne({ _id: 40n, name: 'Rex', categoryId: 7n });
      await db().collection<{ _id: string; last: unknown }>('counters').insertOne({ _id: 'pets', last });
      expect(await counter.reserve(10, LIMITS)).to.deep.include({ first: 41n, last: 50n });
      const [{ error, ...rest } = {}] = told as readonly Partial<MongoOperation>[];
      expect(rest).to.deep.equal({ name: 'ids.reserve', outcome: 'failed', count: 0, durationMs: 0 });
      expect(error).to.be.instanceOf(MalformedDocumentError);
      expect((error as Error).message).to.include(
        "{ _id: 'pets' } of the collection counters is malformed: last must be an int64; it is replaced",
      );
    });
  }

  it('begins beyond the greatest id if the counter has no number', async () => {
    await pets.insertOne({ _id: 40n, name: 'Rex', categoryId: 7n });
    await db().collection<{ _id: string }>('counters').insertOne({ _id: 'pets' });
    expect((await counter.reserve(10, LIMITS)).first).to.equal(41n);
  });

  describe('after a restore', () => {
    const ofOther = async (size: number): Promise<unknown> => counterOf(db()).reserve(size, LIMITS);

    it('reserves ids beyond the restored ones', async () => {
      await counter.reserve(10, LIMITS);
      await counterOf(db()).restoreTo(5000n, LIMITS);
      expect((await counter.reserve(10, LIMITS)).first).to.equal(5001n);
    });

    it('reserves ids beyond the restored ones in another process if the counter was not an integer', async () => {
      await db().collection<{ _id: string; last: string }>('counters').insertOne({ _id: 'pets', last: 'seven' });
      await counter.restoreTo(5000n, LIMITS);
      expect((await counterOf(db()).reserve(10, LIMITS)).first).to.equal(5001n);
    });

    it('tells each process that there was another one, until the next', async () => {
      const restores = [(await counter.reserve(10, LIMITS)).restore];
      for (const id of [5000n, 6000n]) {
        await counterOf(db()).restoreTo(id, LIMITS);
        restores.push((await counter.reserve(0, LIMITS)).restore, (await counter.reserve(10, LIMITS)).restore);
      }
      const [none, first, again, second, secondAgain] = restores;
      expect(none).to.equal(undefined);
      expect([again, secondAgain]).to.deep.equal([first, second]);
      expect(new Set(restores).size).to.equal(3);
    });

    it('knows of no lease of another process if none has ever reserved ids', async () => {
      await counter.reserve(10, LIMITS);
      expect(await counter.restoreTo(5000n, LIMITS)).to.equal(-Infinity);
      await counter.reserve(10, LIMITS);
      expect(await counter.restoreTo(7000n, LIMITS)).to.equal(-Infinity);
    });

    for (const [when, act] of [
      ['before this process used the counter', async () => ofOther(10)],
      [
        'before this process did',
        async () => {
          await ofOther(10);
          await counter.reserve(10, LIMITS);
        },
      ],
      [
        'after this process did',
        async () => {
          await counter.reserve(10, LIMITS);
          await ofOther(10);
        },
      ],
      [
        'while this process restored',
        async () => {
          await counter.restoreTo(4000n, LIMITS);
          await ofOther(10);
        },
      ],
    ] as const) {
      it(`knows when the leases of another process end that reserved ids ${when}`, async () => {
        await act();
        const began = performance.now();
        expect(await counter.restoreTo(5000n, LIMITS)).to.be.at.least(began + LEASE_MS);
      });
    }

    it('waits for no later lease if no other process has reserved ids since the restore before', async () => {
      await ofOther(10);
      await counter.reserve(10, LIMITS);
      const endAt = await counter.restoreTo(5000n, LIMITS);
      await counter.reserve(10, LIMITS);
      expect(await counter.restoreTo(9000n, LIMITS)).to.equal(endAt);
    });

    it('sends nothing for ids that a restore has passed already', async () => {
      await ofOther(10);
      const endAt = await counter.restoreTo(5000n, LIMITS);
      await ofOther(10);
      const sent = await commandsOf(client(), async () =>
        expect(await counter.restoreTo(4000n, LIMITS)).to.equal(endAt),
      );
      expect(sent).to.deep.equal([]);
    });
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
  const { client, db } = useWatchedDatabase(mongodb);
  const counterOf = (): PetIdCounter => {
    const pets = db().collection<PetDocument>('pets', { useBigInt64: true });
    return new PetIdCounter(db(), pets, { ...PATIENT, observe: undefined });
  };
  const idsWith = (options: Partial<PetIdsOptions>): PetIds =>
    new PetIds(counterOf(), { blockSize: 4, ...PATIENT, observe: undefined, ...options });

  it('assigns no id beyond its blocks, between which another process has reserved some', async () => {
    const ids = idsWith({});
    const given = [await ids.next(LIMITS)];
    const other = await counterOf().reserve(100, LIMITS);
    for (let i = 0; i < 8; i++) given.push(await ids.next(LIMITS));
    expect(given[0]).to.equal(1n);
    expect(given.filter((id) => id >= other.first && id <= other.last)).to.deep.equal([]);
    expect(given.slice(0, 4)).to.deep.equal([1n, 2n, 3n, 4n]);
  });

  it('assigns reserved ids, and asks for nothing, while the lease lasts', async () => {
    const ids = idsWith({ blockSize: 100, leaseMs: Infinity });
    await ids.next(LIMITS);
    const sent = await commandsOf(client(), async () => {
      for (const id of [2n, 3n, 4n]) expect(await ids.next(LIMITS)).to.equal(id);
    });
    expect(sent).to.deep.equal([]);
  });

  it('assigns reserved ids after the lease has ended, too, if nothing was restored', async () => {
    const ids = idsWith({ leaseMs: 0 });
    const given: bigint[] = [];
    for (let i = 0; i < 10; i++) given.push(await ids.next(LIMITS));
    expect(given).to.deep.equal([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]);
  });

  it('assigns none of the ids that were reserved before another process restored animals, once the lease has ended', async () => {
    const ids = idsWith({ leaseMs: 0 });
    for (const restored of [5000n, 9000n]) {
      await ids.next(LIMITS);
      await counterOf().restoreTo(restored, LIMITS);
      const next = await Promise.all([ids.next(LIMITS), ids.next(LIMITS)]);
      for (const id of next) expect(Number(id)).to.be.greaterThan(Number(restored));
    }
  });

  it('assigns ids to many concurrent calls, however long the answer takes', async () => {
    const ids = idsWith({ leaseMs: 0 });
    const given = await Promise.all(Array.from({ length: 20 }, async () => ids.next(LIMITS)));
    expect(new Set(given).size).to.equal(20);
  });

  it('asks ahead, so that no call waits for the answer', async () => {
    const asked: number[] = [];
    const ids = idsWith({ blockSize: 10_000, leaseMs: 100, observe: ({ count }) => asked.push(count) });
    await until(async () => {
      const id = ids.next(LIMITS);
      if (typeof id === 'bigint') return asked.includes(0);
      // The first call, and those on a machine that was busy for the whole lease.
      await id;
      asked.length = 0;
      return false;
    });
  });
});
