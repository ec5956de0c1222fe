import type { Collection, Db } from 'mongodb';
import { INT64_MAX } from '../../domain/int64.js';
import { collectionOptions } from './collection-options.js';
import type { PetDocument } from './mongo-pet-catalogue.js';
import { withDeadline } from './store-unavailable.js';

/** The counter: the last id of the last block that was given out. */
interface CounterDocument {
  readonly _id: 'pets';
  readonly last: bigint;
}

interface Waiting {
  readonly resolve: (id: bigint) => void;
  readonly reject: (error: unknown) => void;
}

const COUNTER = { _id: 'pets' } as const;
const LARGEST_BLOCK = 10_000;
const TRIES = 5;

/**
 * Ids for new animals, each greater than those before it, in the order of the calls. They come in blocks from a counter
 * in the database, a block by one atomic update, so that any number of processes may share it.
 *
 * The counter is not trusted: where it was lost or set back, it is moved beyond the greatest id stored. It shows by the
 * very first block while there are animals, by a block that does not follow the one before, or by an id that is taken.
 */
export class PetIds {
  readonly #counters: Collection<CounterDocument>;
  readonly #pets: Collection<PetDocument>;
  readonly #blockSize: number;
  readonly #deadlineMs: number;
  readonly #waiting: Waiting[] = [];
  #first = 1n;
  #next = 1n;
  #last = 0n;
  #setBack = false;
  #fetching = false;

  constructor(db: Db, pets: Collection<PetDocument>, blockSize: number, deadlineMs: number) {
    this.#counters = db.collection('counters', collectionOptions(deadlineMs));
    this.#pets = pets;
    this.#blockSize = blockSize;
    this.#deadlineMs = deadlineMs;
  }

  /** The next id. Calls that have to wait for a block wait for the same one. */
  async next(): Promise<bigint> {
    if (this.#waiting.length === 0 && this.#next <= this.#last) return this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#fetching) void this.#serve();
    });
  }

  /** Tells that an id from here was taken already: what is left of its block is given up. */
  reportTaken(id: bigint): void {
    if (id < this.#first) return;
    this.#next = this.#last + 1n;
    this.#setBack = true;
  }

  async #serve(): Promise<void> {
    this.#fetching = true;
    try {
      while (this.#waiting.length > 0) {
        await this.#fetchBlock(BigInt(Math.min(Math.max(this.#blockSize, this.#waiting.length), LARGEST_BLOCK)));
        while (this.#waiting.length > 0 && this.#next <= this.#last) this.#waiting.shift()?.resolve(this.#next++);
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#fetching = false;
    }
  }

  async #fetchBlock(size: bigint): Promise<void> {
    if (this.#setBack) await this.#moveBeyond(await this.#greatestKnown());
    for (let tried = 0; tried < TRIES; tried++) {
      const last = await this.#advance(size);
      const first = last - size + 1n;
      const greatest = first > 1n && first > this.#last ? 0n : await this.#greatestKnown();
      if (first > greatest) {
        [this.#first, this.#next, this.#last, this.#setBack] = [first, first, last, false];
        return;
      }
      await this.#moveBeyond(greatest);
    }
    throw new Error('the counter of the ids does not move on');
  }

  async #advance(size: bigint): Promise<bigint> {
    const counter = await withDeadline(this.#deadlineMs, async (limits) =>
      this.#counters.findOneAndUpdate(
        COUNTER,
        { $inc: { last: size } },
        { upsert: true, returnDocument: 'after', ...limits },
      ),
    );
    return BigInt(counter?.last ?? 0n);
  }

  async #moveBeyond(id: bigint): Promise<void> {
    if (id > INT64_MAX - BigInt(LARGEST_BLOCK)) throw new RangeError('the ids are used up');
    await withDeadline(this.#deadlineMs, async (limits) =>
      this.#counters.updateOne(COUNTER, { $max: { last: id } }, { upsert: true, ...limits }),
    );
  }

  /** The greatest id stored, or given out here. */
  async #greatestKnown(): Promise<bigint> {
    const pet = await withDeadline(this.#deadlineMs, async (limits) =>
      this.#pets.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 }, ...limits }),
    );
    const stored = BigInt(pet?._id ?? 0n);
    return stored > this.#last ? stored : this.#last;
  }
}
