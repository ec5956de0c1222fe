import type { Collection, Db, Filter } from 'mongodb';
import { INT64_MAX, toInt64 } from '../../domain/int64.js';
import { collectionOptions, isDuplicateKey } from './collection-options.js';
import { hedged } from './hedged.js';
import { runOperation, type MongoObserver } from './operations.js';
import { MalformedDocumentError, type PetDocument } from './pet-document.js';
import type { Limits } from './store-unavailable.js';

/** The counter: the greatest id that any process has reserved. */
interface CounterDocument {
  readonly _id: 'pets';
  readonly last: bigint;
}

/** Ids reserved by this process; those from `next` on are not given out yet. */
interface Block {
  readonly first: bigint;
  next: bigint;
  readonly last: bigint;
}

/** What {@link PetIds} needs. */
export interface PetIdsOptions {
  /** The size of the first block, and of the smallest. */
  readonly blockSize: number;
  readonly deadlineMs: number;
  readonly observe: MongoObserver | undefined;
}

const COUNTER = { _id: 'pets' } as const;
const LARGEST_BLOCK = 10_000;
const LARGEST_GROWTH = 4;
/** How long a block should last, in milliseconds. Half of that must outlast a late answer and another attempt. */
const BLOCK_LASTS_MS = 2000;
const REPAIRS = 5;
const TYPE_MISMATCH = 14;

/** Matches integer ids only: documents of other programs may have an `_id` of any type. */
const HAS_INTEGER_ID = { _id: { $type: ['int', 'long'], $lte: INT64_MAX } } as unknown as Filter<PetDocument>;

/**
 * Ids for new animals, each greater than those before it, in the order of the calls.
 *
 * A process reserves blocks of ids by atomic updates of a counter in the database, so any number of processes may share
 * it. It reserves the next block when half of the present one is used, so calls wait only for the first block. Blocks
 * grow with the rate of the calls until one lasts about two seconds: time enough to try again on another connection.
 *
 * The counter can be wrong, for example after a back-up was restored. So a process moves it beyond the greatest id stored
 * before its first block, and again whenever it notices a fault: the counter fell behind, is not an integer, or gave an
 * id that is taken.
 */
export class PetIds {
  readonly #counters: Collection<CounterDocument>;
  readonly #pets: Collection<PetDocument>;
  readonly #options: PetIdsOptions;
  #blocks: Block[] = [];
  /** The greatest id that this process has reserved. */
  #greatest = 0n;
  /** The id that the counter was moved beyond; `undefined` if it has to be moved before the next block. */
  #floor: bigint | undefined;
  #reserving: Promise<void> | undefined;
  /** When the last block was asked for, by the monotonic clock, and its size. */
  #asked = { at: -Infinity, size: 0 };
  #waiting = 0;

  constructor(db: Db, pets: Collection<PetDocument>, options: PetIdsOptions) {
    this.#counters = db.collection('counters', collectionOptions(options.deadlineMs));
    this.#pets = pets;
    this.#options = options;
  }

  /** The next id. Rejects with `store_unavailable` if there is none left and the store does not answer. */
  async next(): Promise<bigint> {
    this.#waiting++;
    try {
      // Calls that wait for the same block go on in the order in which they began to wait.
      while (this.#blocks.length === 0) await this.#reserve();
      return this.#take();
    } finally {
      this.#waiting--;
    }
  }

  /** Reports that an id from here was taken already: the ids reserved so far are given up. */
  reportTaken(id: bigint): void {
    if (this.#floor === undefined || id <= this.#floor) return;
    this.#floor = undefined;
    this.#blocks = [];
  }

  #take(): bigint {
    const [block] = this.#blocks;
    if (block === undefined) throw new Error('no id is reserved');
    const id = block.next++;
    if (block.next > block.last) this.#blocks.shift();
    const isHalfUsed = block.next - block.first > block.last - block.next;
    // No call waits for the block after this one. If it cannot be reserved, the observer is told, and a later call tries again.
    if (isHalfUsed && this.#blocks.length < 2) this.#reserve().catch(() => undefined);
    return id;
  }

  /** Reserves one more block, unless that is under way already. */
  #reserve(): Promise<void> {
    return (this.#reserving ??= this.#reserveBlock().finally(() => (this.#reserving = undefined)));
  }

  async #reserveBlock(): Promise<void> {
    const { deadlineMs, observe } = this.#options;
    const size = this.#nextSize();
    this.#asked = { at: performance.now(), size };
    await hedged(deadlineMs, async (remainingMs) =>
      runOperation({ name: 'ids.reserve', count: size }, { deadlineMs: remainingMs, observe }, async (limits) =>
        this.#advanceCounter(BigInt(size), limits),
      ),
    );
  }

  /** The size with which the next block lasts as long as it should, if the calls go on as since the last block. */
  #nextSize(): number {
    const { at, size } = this.#asked;
    const wanted = (size * BLOCK_LASTS_MS) / (performance.now() - at);
    const grown = Math.min(Math.round(wanted), size * LARGEST_GROWTH);
    return Math.min(Math.max(grown, this.#options.blockSize, this.#waiting), LARGEST_BLOCK);
  }

  async #advanceCounter(size: bigint, limits: Limits): Promise<void> {
    for (let tried = 0; tried < REPAIRS; tried++) {
      if (this.#floor === undefined) await this.#repairCounter(limits);
      const reservedBefore = this.#greatest;
      const last = await this.#increment(size, limits);
      if (this.#floor !== undefined && last !== undefined && last - size >= reservedBefore) {
        this.#accept({ first: last - size + 1n, next: last - size + 1n, last });
        return;
      }
      this.#floor = undefined;
    }
    throw new Error('the counter of the ids does not move on');
  }

  /** Drops a block that comes late, when a greater one is in use already: ids ascend, and gaps are allowed. */
  #accept(block: Block): void {
    if (block.first <= this.#greatest) return;
    this.#blocks.push(block);
    this.#greatest = block.last;
  }

  /** The counter's new value; `undefined` if the counter is missing or is not an integer. */
  async #increment(size: bigint, limits: Limits): Promise<bigint | undefined> {
    try {
      const options = { returnDocument: 'after', ...limits } as const;
      const counter = await this.#counters.findOneAndUpdate(COUNTER, { $inc: { last: size } }, options);
      return toInt64(counter?.last);
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === TYPE_MISMATCH) return undefined;
      throw error;
    }
  }

  /** Moves the counter beyond each id that is stored, or was reserved here. Makes it if it is missing. */
  async #repairCounter(limits: Limits): Promise<void> {
    const [counter, pet] = await Promise.all([
      this.#counters.findOne(COUNTER, { ...limits }),
      this.#pets.findOne(HAS_INTEGER_ID, { sort: { _id: -1 }, projection: { _id: 1 }, ...limits }),
    ]);
    const stored = toInt64(pet?._id) ?? 0n;
    const floor = stored > this.#greatest ? stored : this.#greatest;
    if (floor > INT64_MAX - BigInt(LARGEST_BLOCK)) throw new RangeError('the ids are used up');
    if (counter !== null && toInt64(counter.last) === undefined) {
      this.#tellOfMalformedCounter();
      await this.#counters.updateOne({ ...COUNTER, last: counter.last }, { $set: { last: floor } }, { ...limits });
    } else {
      await this.#raiseCounter(floor, limits);
    }
    this.#floor = floor;
  }

  async #raiseCounter(floor: bigint, limits: Limits): Promise<void> {
    const raise = async () => this.#counters.updateOne(COUNTER, { $max: { last: floor } }, { upsert: true, ...limits });
    try {
      await raise();
    } catch (error) {
      // Another process has made the counter at the same time: now there is one to raise.
      if (!isDuplicateKey(error)) throw error;
      await raise();
    }
  }

  #tellOfMalformedCounter(): void {
    const error = new MalformedDocumentError('counters', COUNTER._id, 'last must be an int64; it is replaced');
    this.#options.observe?.({ name: 'ids.reserve', outcome: 'failed', count: 0, durationMs: 0, error });
  }
}
