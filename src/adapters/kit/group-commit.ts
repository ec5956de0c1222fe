import { setImmediate } from 'node:timers';
import { reasonOf } from '../../domain/call-options.js';
import type { BoundedCall } from './bounded-call.js';

/** Captured when this module is loaded, because test runners replace the globals, and the members of `node:timers`, with fakes. */
const nextTurn = setImmediate;

const WITHOUT_BOUNDS = {};

/** A value that waits to be stored. Call `resolve` and `reject` on the entry itself. */
export interface GroupCommitEntry<Value, Result> {
  readonly value: Value;
  /** The call that waits for it, as it was passed to `add`. Its `obstacle` may say why the value is not stored yet. */
  readonly call: Partial<BoundedCall>;
  /** Fulfils the promise of `add`. No later batch has the entry. */
  resolve(this: GroupCommitEntry<Value, Result>, result: Result): void;
  /** Rejects the promise of `add`. No later batch has the entry. */
  reject(this: GroupCommitEntry<Value, Result>, error: unknown): void;
}

/**
 * Stores values in batches: those that arrive while a batch is being stored form the next one. So a value alone does not wait for
 * others, and many together share the price of a transaction.
 *
 * One batch is stored at a time, each in a later turn of the event loop. What `store` leaves unsettled joins the next batch, before
 * those that have arrived since. Before each batch, entries whose call is over are dropped, and those whose signal is aborted
 * reject with its reason. Neither changes anything for their neighbours.
 *
 * @example
 * const creations = new GroupCommit<NewPet, Pet>(1000, async (batch) => {
 *   const pets = await insertAll(batch.map(({ value }) => value));
 *   for (const [i, entry] of batch.entries()) entry.resolve(pets[i]);
 * });
 * const pet = await boundedCall(bounds, async (call) => creations.add(newPet, call));
 */
export class GroupCommit<Value, Result> {
  readonly #max: number;
  readonly #store: (batch: readonly GroupCommitEntry<Value, Result>[]) => Promise<void>;
  /** In the order of their arrival. */
  readonly #waiting = new Set<GroupCommitEntry<Value, Result>>();
  #storing: Promise<void> | undefined;

  /**
   * @param max The maximum number of entries in a batch.
   * @param store Stores a batch, and settles its entries. If it rejects, those that it has not settled reject with its error. It is
   * called again, in the next turn, while entries are unsettled: if they wait for the database, wait before you return.
   */
  constructor(max: number, store: (batch: readonly GroupCommitEntry<Value, Result>[]) => Promise<void>) {
    this.#max = max;
    this.#store = store;
  }

  /**
   * Adds a value. Settles as `store` settles its entry; never, if its call is over before.
   *
   * @param call What `boundedCall` passes on, or the options of a call that has no deadline.
   */
  add(value: Value, call: Partial<BoundedCall> = WITHOUT_BOUNDS): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.putBack(new Entry(value, call, this.#waiting, resolve, reject));
    });
  }

  /** Takes entries out before they are settled, for a `store` that settles them later. Returns those that still waited. */
  take(entries: readonly GroupCommitEntry<Value, Result>[]): GroupCommitEntry<Value, Result>[] {
    return entries.filter((entry) => this.#waiting.delete(entry) && entry.call.isOver !== true);
  }

  /** Puts an entry that was taken out behind those that wait. */
  putBack(entry: GroupCommitEntry<Value, Result>): void {
    this.#waiting.add(entry);
    this.#storing ??= this.#storeAll();
  }

  /** Resolves once no entry waits, and no batch is being stored. */
  async idle(): Promise<void> {
    await this.#storing;
  }

  async #storeAll(): Promise<void> {
    do {
      await new Promise((resolve) => nextTurn(resolve));
      const batch = this.#nextBatch();
      if (batch.length === 0) continue;
      try {
        await this.#store(batch);
      } catch (error) {
        for (const entry of this.take(batch)) entry.reject(error);
      }
    } while (this.#waiting.size > 0);
    // In the same step as that look, so that no entry is added in between, which nobody would store.
    this.#storing = undefined;
  }

  #nextBatch(): GroupCommitEntry<Value, Result>[] {
    const batch: GroupCommitEntry<Value, Result>[] = [];
    for (const entry of this.#waiting) {
      const { isOver, signal } = entry.call;
      if (isOver === true) this.#waiting.delete(entry);
      else if (signal?.aborted === true) entry.reject(reasonOf(signal));
      else if (batch.push(entry) === this.#max) break;
    }
    return batch;
  }
}

/** A class, because an object with two closures costs four times as much. */
class Entry<Value, Result> implements GroupCommitEntry<Value, Result> {
  readonly value: Value;
  readonly call: Partial<BoundedCall>;
  readonly #waiting: Set<GroupCommitEntry<Value, Result>>;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: unknown) => void;

  constructor(
    value: Value,
    call: Partial<BoundedCall>,
    waiting: Set<GroupCommitEntry<Value, Result>>,
    resolve: (result: Result) => void,
    reject: (error: unknown) => void,
  ) {
    this.value = value;
    this.call = call;
    this.#waiting = waiting;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  resolve(result: Result): void {
    this.#waiting.delete(this);
    this.#resolve(result);
  }

  reject(error: unknown): void {
    this.#waiting.delete(this);
    this.#reject(error);
  }
}
