import { ObjectId, type Collection, type Db, type Filter, type UpdateFilter } from 'mongodb';
import { INT64_MAX } from '../../../domain/int64.js';
import { collectionOptions, int64Of, isDuplicateKey } from '../collections.js';
import type { MongoObserver, OperationLimits, OperationSettings } from '../operation.js';
import { codeOf } from '../unavailable-errors.js';
import { MalformedDocumentError, type PetDocument } from './pet-document.js';

/** The one document of the collection `counters`. */
interface CounterDocument {
  readonly _id: 'pets';
  /** The greatest id that any process has reserved. */
  readonly last: bigint;
  /** Identifies the newest restore. Each process discards the ids that it reserved before. */
  readonly restore?: ObjectId;
}

/** Consecutive ids, from the first to the last. */
export interface IdBlock {
  readonly first: bigint;
  readonly last: bigint;
  /** The newest restore before the block was reserved; `undefined` if there was none. */
  readonly restore: string | undefined;
}

/** For how long a process may give reserved ids without asking for the newest restore, in milliseconds. */
export const LEASE_MS = 5000;

/** How long a restore waits for the leases of other processes. The clocks that measure a lease and this may run differently. */
export const LEASES_ENDED_MS = 1.2 * LEASE_MS;

const COUNTER = { _id: 'pets' } as const;
const ATTEMPTS = 5;
const TYPE_MISMATCH = 14;

/**
 * Matches the ids that lists can show: documents of other programs may have an `_id` of any type. A double is exact up to
 * `Number.MAX_SAFE_INTEGER`.
 */
const HAS_NUMBER_AS_ID = {
  $or: [
    { _id: { $type: ['int', 'long'], $lte: INT64_MAX } },
    { _id: { $type: 'double', $gt: 0, $lte: Number.MAX_SAFE_INTEGER } },
  ],
} as unknown as Filter<PetDocument>;

/**
 * The counter of the ids in the database. Processes reserve blocks of ids by atomic updates of it, so no two of them get
 * the same id.
 *
 * The counter may be wrong, for example after a back-up was restored. So a process compares its first block with the
 * greatest id stored. If a block is not beyond it, or not beyond the ids reserved here, or the counter is not an integer,
 * the process repairs the counter and reserves another block.
 */
export class PetIdCounter {
  readonly #counters: Collection<CounterDocument>;
  readonly #pets: Collection<PetDocument>;
  readonly #observe: MongoObserver | undefined;
  /** The counter after the newest change that this process made to it. */
  #greatest = 0n;
  #isSuspect = true;
  /** The counter after the newest restore by this process: ids up to here that were reserved before are void. */
  #restoredTo = 0n;
  /** How often this process has found, when it reserved ids, that other processes may have reserved some since its last change. */
  #timesShared = 0;
  /** The same number before the newest restore by this process. */
  #timesSharedBefore = 0;
  /** When the leases of void ids have ended, by the monotonic clock. */
  #leasesEndAt = -Infinity;

  /** @param settings `observe` is also called if the counter is malformed. */
  constructor(db: Db, pets: Collection<PetDocument>, { deadlineMs, observe }: OperationSettings) {
    this.#counters = db.collection('counters', collectionOptions(deadlineMs));
    this.#pets = pets;
    this.#observe = observe;
  }

  /** Makes the next block be compared with the greatest id stored. Call it if an id from here was taken already. */
  suspect(): void {
    this.#isSuspect = true;
  }

  /**
   * Reserves ids that are greater than all that were reserved here before; with the size 0, only asks for the newest restore.
   * Takes one round trip if the counter is right.
   *
   * Rejects with a `RangeError` if the ids are used up, also by an animal of another program that has a very great one.
   */
  async reserve(size: number, limits: OperationLimits): Promise<IdBlock> {
    const reserved = this.#greatest;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const compares = this.#isSuspect;
      const [block, stored] = await Promise.all([
        this.#increment(size, limits),
        compares ? this.#greatestStored(limits) : 0n,
      ]);
      const floor = stored > reserved ? stored : reserved;
      if (floor > INT64_MAX - BigInt(size)) throw new RangeError(`the ids are used up: the greatest one is ${floor}`);
      const wasSuspectedMeanwhile = this.#isSuspect && !compares;
      if (block !== undefined && block.first > floor && !wasSuspectedMeanwhile) {
        if (block.last > this.#greatest) this.#greatest = block.last;
        this.#isSuspect = false;
        return block;
      }
      this.#isSuspect = true;
      await this.#raise(floor, limits);
    }
    throw new Error('the counter of the ids does not advance');
  }

  /**
   * Adds to the counter, and makes it if it is missing. Resolves to the ids in between; to `undefined` if the counter is not
   * an integer, or if another process made it at the same time.
   */
  async #increment(size: number, limits: OperationLimits): Promise<IdBlock | undefined> {
    try {
      const options = { upsert: true, returnDocument: 'after', ...limits.startCall() } as const;
      const counter = await this.#counters.findOneAndUpdate(COUNTER, { $inc: { last: BigInt(size) } }, options);
      const last = int64Of(counter?.last);
      const before = last === undefined ? undefined : last - BigInt(size);
      if (before !== this.#greatest) this.#timesShared++;
      if (last === undefined || before === undefined) return undefined;
      return { first: before + 1n, last, restore: counter?.restore?.toString() };
    } catch (error) {
      if (!isDuplicateKey(error) && codeOf(error) !== TYPE_MISMATCH) throw error;
      this.#timesShared++;
      return undefined;
    }
  }

  /**
   * Makes each block that any process reserves from now on begin after an id, and all blocks that were reserved before void. A
   * process that holds such a block learns that when its lease ends.
   *
   * Resolves to the time, by the monotonic clock, at which these leases have ended. If the counter is as this process left it, no
   * other process has reserved ids since, and there is no lease to wait for.
   */
  async restoreTo(id: bigint, limits: OperationLimits): Promise<number> {
    if (id <= this.#restoredTo) return this.#leasesEndAt;
    this.#isSuspect = true;
    const timesShared = this.#timesShared;
    let before = await this.#markRestore(id, limits);
    const isShared = before !== this.#greatest || this.#timesShared > this.#timesSharedBefore;
    if (before === undefined) {
      await this.#raise(id, limits);
      before = await this.#markRestore(id, limits);
    }
    this.#restoredTo = before !== undefined && before > id ? before : id;
    if (this.#restoredTo > this.#greatest) this.#greatest = this.#restoredTo;
    if (isShared) this.#leasesEndAt = performance.now() + LEASES_ENDED_MS;
    this.#timesSharedBefore = timesShared;
    return this.#leasesEndAt;
  }

  /** Resolves to what the counter was before; to `undefined` if it was not an integer. */
  async #markRestore(id: bigint, limits: OperationLimits): Promise<bigint | undefined> {
    const update = { $max: { last: id }, $set: { restore: new ObjectId() } } satisfies UpdateFilter<CounterDocument>;
    const mark = async (upsert: boolean): Promise<bigint | undefined> => {
      const options = { upsert, returnDocument: 'before', ...limits.startCall() } as const;
      const counter = await this.#counters.findOneAndUpdate(COUNTER, update, options);
      return counter === null ? 0n : int64Of(counter.last);
    };
    try {
      return await mark(true);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another process has just made the counter.
      return await mark(false);
    }
  }

  async #greatestStored(limits: OperationLimits): Promise<bigint> {
    const options = { sort: { _id: -1 }, projection: { _id: 1 }, ...limits.startCall() } as const;
    const id: unknown = (await this.#pets.findOne(HAS_NUMBER_AS_ID, options))?._id;
    return int64Of(typeof id === 'number' ? Math.floor(id) : id) ?? 0n;
  }

  /** Raises the counter to at least `floor`. Replaces it if it is not an integer, unless another process just did so. */
  async #raise(floor: bigint, limits: OperationLimits): Promise<void> {
    const counter = await this.#counters.findOne(COUNTER, limits.startCall());
    if (counter === null || int64Of(counter.last) !== undefined) {
      await this.#counters.updateOne(COUNTER, { $max: { last: floor } }, limits.startCall());
      return;
    }
    const error = new MalformedDocumentError('counters', COUNTER._id, 'last must be an int64; it is replaced');
    this.#observe?.({ name: 'ids.reserve', outcome: 'failed', count: 0, durationMs: 0, error });
    await this.#counters.updateOne({ ...COUNTER, last: counter.last }, { $set: { last: floor } }, limits.startCall());
  }
}
