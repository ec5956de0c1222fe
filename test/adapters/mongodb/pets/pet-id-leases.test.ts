import { expect } from 'chai';
import type { Collection } from 'mongodb';
import { setTimeout as delay } from 'node:timers/promises';
import type { OperationLimits } from '../../../../src/adapters/mongodb/operation.js';
import { LEASE_MS, PetIdCounter, type IdBlock } from '../../../../src/adapters/mongodb/pets/pet-id-counter.js';
import type { PetDocument } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { PetIds, type PetIdsOptions } from '../../../../src/adapters/mongodb/pets/pet-ids.js';
import { INT64_MAX } from '../../../../src/domain/int64.js';
import { except } from '../../../support/except.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { until } from '../../../support/until.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { useWatchedDatabase } from '../commands-of.js';
import { setCounter } from './set-counter.js';

const { signal } = new AbortController();
const LIMITS = { signal, startCall: () => ({ maxTimeMS: PATIENT_MS, signal }) };
const SETTINGS = { ...PATIENT, observe: undefined };

/** A counter whose answers to reservations arrive late. */
class LateCounter extends PetIdCounter {
  /** What happens between an answer of the database and its arrival. */
  meanwhile: () => Promise<unknown> = async () => undefined;
  /** How many restores it has been told of. */
  restores = 0;

  override async reserve(size: number, limits: OperationLimits): Promise<IdBlock> {
    const block = await super.reserve(size, limits);
    await this.meanwhile();
    return block;
  }

  override async restoreTo(...args: Parameters<PetIdCounter['restoreTo']>): Promise<number> {
    const othersFollowAt = await super.restoreTo(...args);
    this.restores++;
    return othersFollowAt;
  }
}

describe('the leases of ids in MongoDB', () => {
  const { db } = useWatchedDatabase(useMongodb());
  let counter: PetIdCounter;

  const petsIn = (): Collection<PetDocument> => db().collection('pets', { useBigInt64: true });
  /** The counter as another process has it. */
  const open = (): PetIdCounter => new PetIdCounter(db(), petsIn(), SETTINGS);
  const openLate = (): LateCounter => new LateCounter(db(), petsIn(), SETTINGS);
  const reserve = async (): Promise<unknown> => counter.reserve(10, LIMITS);
  const reserveElsewhere = async (): Promise<unknown> => open().reserve(10, LIMITS);
  const restoreTo = async (id: bigint): Promise<number> => counter.restoreTo(id, LIMITS);
  const restoreElsewhere = async (id: bigint): Promise<number> => open().restoreTo(id, LIMITS);
  const idsWith = (options: Partial<PetIdsOptions>): PetIds =>
    new PetIds(counter, { blockSize: 4, ...SETTINGS, ...options });

  beforeEach(() => {
    counter = open();
  });

  it('begin with a block that is compared with the stored animals if the counter was made suspect in the meantime', async () => {
    await reserve();
    await db().collection<{ _id: bigint }>('pets').insertOne({ _id: 500n });
    const reserving = reserve();
    counter.suspect();
    expect(await reserving).to.deep.include({ first: 501n, last: 510n });
  });

  it('begin beyond restored ids in another process, too, if the counter was not an integer', async () => {
    await setCounter(db(), 'seven');
    await restoreTo(5000n);
    expect(await reserveElsewhere()).to.include({ first: 5001n });
  });

  it('are not waited for by a restore if no other process has ever reserved ids', async () => {
    for (const id of [5000n, 7000n]) {
      await reserve();
      expect(await restoreTo(id)).to.equal(-Infinity);
    }
  });

  const WHEN: Readonly<Record<string, () => Promise<unknown>>> = {
    'before this process used the counter': reserveElsewhere,
    'before this process did': async () => reserveElsewhere().then(reserve),
    'after this process did': async () => reserve().then(reserveElsewhere),
    'while this process restored': async () => restoreTo(4000n).then(reserveElsewhere),
  };
  for (const [when, act] of Object.entries(WHEN)) {
    it(`are waited for if another process has reserved ids ${when}`, async () => {
      await act();
      const began = performance.now();
      expect(await restoreTo(5000n)).to.be.at.least(began + LEASE_MS);
    });
  }

  it('are waited for no longer if no other process has reserved ids since the restore before', async () => {
    await reserveElsewhere();
    await reserve();
    const endAt = await restoreTo(5000n);
    await reserve();
    expect(await restoreTo(9000n)).to.equal(endAt);
  });

  it('are waited for no longer if a restore has passed the ids already', async () => {
    await reserveElsewhere();
    const endAt = await restoreTo(5000n);
    await reserveElsewhere();
    expect(await restoreTo(4000n)).to.equal(endAt);
  });

  it('may end without a gap in the ids if nothing was restored', async () => {
    const ids = idsWith({ leaseMs: 0 });
    for (let id = 1n; id <= 10n; id++) expect(await ids.next(LIMITS)).to.equal(id);
  });

  it('end the use of the ids that were reserved before another process restored animals', async () => {
    const ids = idsWith({ leaseMs: 0 });
    for (const restored of [5000n, 9000n]) {
      await ids.next(LIMITS);
      await restoreElsewhere(restored);
      const next = await Promise.all([ids.next(LIMITS), ids.next(LIMITS)]);
      for (const id of next) expect(Number(id)).to.be.greaterThan(Number(restored));
    }
  });

  it('begin before the counter is asked, not when its answer arrives', async () => {
    const leaseMs = 200;
    const late = openLate();
    late.meanwhile = async () => {
      await restoreElsewhere(5000n);
      await delay(leaseMs);
    };
    const ids = new PetIds(late, { blockSize: 4, ...SETTINGS, leaseMs });
    await ids.next(LIMITS);
    expect(Number(await ids.next(LIMITS))).to.be.greaterThan(5000);
  });

  it('end with a restore by this process, also that of the ids that are being reserved', async () => {
    const late = openLate();
    const ids = new PetIds(late, { blockSize: 4, ...SETTINGS });
    let isAnswered = false;
    late.meanwhile = async () => {
      isAnswered = true;
      return until(() => late.restores === 1);
    };
    const first = ids.next(LIMITS);
    await until(() => isAnswered);
    await ids.skipTo(5000n, LIMITS);
    await first;
    expect(Number(await ids.next(LIMITS))).to.be.greaterThan(5000);
  });

  it('give exact ids up to the last one', async () => {
    await db()
      .collection<{ _id: bigint }>('pets')
      .insertOne({ _id: INT64_MAX - 10n });
    // One reservation, however long its answer takes: a second one would find no ids.
    const reserved = counter.reserve(10, LIMITS);
    const last = except<PetIdCounter>(counter, { reserve: async () => reserved });
    const ids = new PetIds(last, { blockSize: 10, ...SETTINGS });
    const given = await Promise.all(Array.from({ length: 10 }, async () => ids.next(LIMITS)));
    expect(given).to.deep.equal(Array.from({ length: 10 }, (_, i) => INT64_MAX - 9n + BigInt(i)));
  });

  it('give ids to many concurrent calls, however long the answer takes', async () => {
    const ids = idsWith({ leaseMs: 0 });
    const given = await Promise.all(Array.from({ length: 20 }, async () => ids.next(LIMITS)));
    expect(new Set(given).size).to.equal(20);
  });

  it('are asked for again by the next call if that failed', async () => {
    let reserving = async (): Promise<unknown> => Promise.reject(new Error('not authorized'));
    const refused = except<PetIdCounter>(counter, { reserve: async () => reserving() });
    const ids = new PetIds(refused, { blockSize: 4, ...SETTINGS });
    expect(await rejectionOf(Promise.resolve(ids.next(LIMITS)))).to.have.property('message', 'not authorized');
    reserving = reserve;
    // A reservation that is late is tried again, and leaves a gap of a block: at most two are.
    expect(Number(await ids.next(LIMITS))).to.be.within(1, 9);
  });

  it('are given while the next block is reserved, which begins when half of one is used', async () => {
    const asked: number[] = [];
    const ids = idsWith({ leaseMs: 600_000, observe: ({ count }) => asked.push(count) });
    await ids.next(LIMITS);
    expect([ids.next(LIMITS), ids.next(LIMITS)].map((id) => typeof id)).to.deep.equal(['bigint', 'bigint']);
    await until(() => asked.length > 1);
  });

  it('are renewed ahead, so that no call waits for the answer', async () => {
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
