import type { Collection, Db } from 'mongodb';
import { INT64_MAX } from '../../domain/int64.js';
import { collectionOptions, COLLECTIONS, findDocuments, int64Of, retryOnce } from './collections.js';
import { isDuplicateKey, isUnavailable } from './errors.js';
import type { OperationSettings } from './operation.js';
import { MalformedDocumentError } from './pet-document.js';

interface CounterDocument {
  readonly _id: 'pets';
  /** The greatest id that any process was given. */
  readonly last: bigint;
}

const COUNTER = { _id: 'pets' } as const;
const ATTEMPTS = 5;

/** Matches the ids that lists can show. */
const NUMERIC_IDS = { _id: { $type: ['int', 'long', 'double'], $gte: 1n, $lte: INT64_MAX } };

/**
 * Each `$inc` of the counter gives a process ids that no other process gets. The counter may be behind the ids in `pets`, for example
 * after a back-up was restored. So a process raises it to the greatest id that is stored before its first `$inc`, after an id was taken,
 * and if the counter gives an id that is not greater than all before.
 */
export class PetIdCounter {
  readonly #db: Db;
  readonly #counters: Collection<CounterDocument>;
  readonly #deadlineMs: number;
  /** The greatest id that this process knows to be assigned. */
  #greatest = 0n;
  #isSuspect = true;

  constructor(db: Db, { deadlineMs }: OperationSettings) {
    this.#db = db;
    this.#counters = db.collection(COLLECTIONS.counters, collectionOptions(deadlineMs));
    this.#deadlineMs = deadlineMs;
  }

  /** Call it if an id from here was taken already. */
  suspect(): void {
    this.#isSuspect = true;
  }

  /**
   * Resolves to the first of `count` ids. All are greater than every id that was reserved here, stored by this process or restored by any
   * process before the call. Rejects with a `RangeError` if none is left, for example because another program has stored a very large one.
   */
  async reserve(count: number): Promise<bigint> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const isCompared = this.#isSuspect;
      if (isCompared) {
        await this.raiseTo(await this.#greatestStored());
        this.#isSuspect = false;
      }
      const known = this.#greatest;
      if (known > INT64_MAX - BigInt(count)) throw new RangeError(`the ids are used up: the greatest one is ${known}`);
      const last = await this.#increment(count).catch((error: unknown) => {
        // The server does not add beyond an int64. What others have stored in the meantime may be the reason.
        if (isCompared || isUnavailable(error)) throw error;
        return 0n;
      });
      const first = last - BigInt(count) + 1n;
      if (first > known) {
        if (last > this.#greatest) this.#greatest = last;
        return first;
      }
      this.suspect();
    }
    throw new Error('the counter of the ids does not advance');
  }

  /** Every id that any process reserves from now on is greater than this one, and than all that this process knows. */
  async raiseTo(id: bigint): Promise<void> {
    if (id > this.#greatest) this.#greatest = id;
    const raise = async (): Promise<unknown> =>
      this.#counters.updateOne(COUNTER, { $max: { last: this.#greatest } }, { upsert: true });
    await raise().catch(async (error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      // Another process has just made the counter.
      return raise();
    });
  }

  /** Resolves to 0 if there is no counter. If its result is lost, it leaves a gap. */
  async #increment(count: number): Promise<bigint> {
    const counter = await retryOnce(async () =>
      this.#counters.findOneAndUpdate(COUNTER, { $inc: { last: BigInt(count) } }, { returnDocument: 'after' }),
    );
    if (counter === null) return 0n;
    const last = int64Of(counter.last);
    if (last === undefined) {
      throw new MalformedDocumentError(COLLECTIONS.counters, COUNTER._id, 'last must be an int64');
    }
    return last;
  }

  async #greatestStored(): Promise<bigint> {
    const find = { find: COLLECTIONS.pets, filter: NUMERIC_IDS, sort: { _id: -1 }, hint: { _id: 1 }, limit: 1 };
    const [document] = await findDocuments(this.#db, find, this.#deadlineMs);
    const id: unknown = document?.['_id'];
    return int64Of(id) ?? (typeof id === 'number' ? BigInt(Math.floor(id)) : 0n);
  }
}
