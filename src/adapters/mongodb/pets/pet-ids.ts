import { Attempts, type OperationLimits, type OperationSettings, runOperation } from '../operation.js';
import { LEASE_MS, type IdBlock, type PetIdCounter } from './pet-id-counter.js';

/** What {@link PetIds} needs. */
export interface PetIdsOptions extends OperationSettings {
  /** The size of the first block, and of the smallest. */
  readonly blockSize: number;
  /** For how long ids are given without asking for the newest restore, in milliseconds. @default LEASE_MS */
  readonly leaseMs?: number;
}

/** A block whose ids before `next` have been given out. */
interface OpenBlock extends Pick<IdBlock, 'first' | 'last'> {
  next: bigint;
}

const LARGEST_BLOCK = 10_000;
const LARGEST_GROWTH = 4;
/** How long a block should last, in milliseconds. Half of that must outlast a late answer and another attempt. */
const BLOCK_LASTS_MS = 2000;

/**
 * Ids for new animals, each greater than those before it, in the order of the calls.
 *
 * Takes them from blocks that it reserves ahead: it reserves the next block when half of the present one is used, so calls
 * wait only for the first one. Blocks grow with the rate of the calls until one lasts about two seconds: time enough to
 * try again on another connection.
 *
 * A restore in another process makes the reserved ids void. So they are given only for as long as a lease lasts, counted from the
 * moment before the counter was asked for the last time. It is asked ahead, too, if ids are given at least every few seconds.
 * A restore ends only when the leases from before it have ended (ADR 203).
 */
export class PetIds {
  readonly #counter: PetIdCounter;
  readonly #options: PetIdsOptions;
  readonly #leaseMs: number;
  readonly #attempts = new Attempts();
  #blocks: OpenBlock[] = [];
  /** The newest restore when the counter was asked for the last time, and when that began by the monotonic clock. */
  #asked: { readonly restore: string | undefined; readonly at: number } = { restore: undefined, at: -Infinity };
  /** The reservation under way. */
  #reserving: Promise<void> | undefined;
  /** The size of the newest reservation, and when it began by the monotonic clock. */
  #newest = { size: 0, at: -Infinity };

  constructor(counter: PetIdCounter, options: PetIdsOptions) {
    this.#counter = counter;
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  /**
   * The next id: immediately if one is reserved. Rejects with `store_unavailable` if there is none left and the database does not
   * answer.
   */
  next(limits: OperationLimits): bigint | Promise<bigint> {
    const now = performance.now();
    return this.#hasIdFor(now) ? this.#take(now) : this.#nextReserved(now, limits);
  }

  /** Reports that an id from here was taken already. Discards the ids reserved so far. */
  reportTaken(id: bigint): void {
    const [block] = this.#blocks;
    const wasGivenUpBefore = block !== undefined && id < block.first;
    if (wasGivenUpBefore) return;
    this.#blocks = [];
    this.#counter.suspect();
  }

  /**
   * Gives only ids that are greater than this one from now on. Resolves to the time, by the monotonic clock, at which every process
   * does so.
   */
  async skipTo(id: bigint, limits: OperationLimits): Promise<number> {
    const othersFollowAt = await this.#counter.restoreTo(id, limits);
    // What is being reserved may lie before that id.
    await this.#reserving?.catch(() => undefined);
    this.#blocks = [];
    return othersFollowAt;
  }

  /** Whether there is an id that a call may be given. A call that began before the lease ended may be given one later, too. */
  #hasIdFor(callBegan: number): boolean {
    return this.#blocks.length > 0 && callBegan <= this.#asked.at + this.#leaseMs;
  }

  async #nextReserved(callBegan: number, limits: OperationLimits): Promise<bigint> {
    // Calls that wait for the same block go on in the order in which they began to wait.
    while (!this.#hasIdFor(callBegan)) {
      limits.signal.throwIfAborted();
      await this.#reserve(this.#blocks.length === 0);
    }
    return this.#take(performance.now());
  }

  #take(now: number): bigint {
    const [block] = this.#blocks;
    if (block === undefined) throw new Error('no id is reserved');
    const id = block.next++;
    if (block.next > block.last) this.#blocks.shift();
    const isHalfUsed = block.next - block.first > block.last - block.next;
    const needsBlock = isHalfUsed && this.#blocks.length < 2;
    const isLeaseHalfOver = now > this.#asked.at + this.#leaseMs / 2;
    // No call waits for this reservation. If it fails, the observer is told, and a later call tries again.
    if (needsBlock || isLeaseHalfOver) this.#reserve(needsBlock).catch(() => undefined);
    return id;
  }

  /** Renews the lease, and reserves one more block if one is needed, unless that is under way already. */
  #reserve(needsBlock: boolean): Promise<void> {
    return (this.#reserving ??= this.#ask(needsBlock ? this.#nextSize() : 0).finally(() => {
      this.#reserving = undefined;
    }));
  }

  /** Asks the counter for the newest restore, and for so many ids. */
  async #ask(size: number): Promise<void> {
    const { deadlineMs, observe } = this.#options;
    const at = performance.now();
    if (size > 0) this.#newest = { size, at };
    const { first, last, restore } = await this.#attempts.run(deadlineMs, async (limitMs) =>
      runOperation({ name: 'ids.reserve', count: size }, { deadlineMs: limitMs, observe }, async (limits) =>
        this.#counter.reserve(size, limits),
      ),
    );
    if (restore !== this.#asked.restore) this.#blocks = [];
    this.#asked = { restore, at };
    if (size > 0) this.#blocks.push({ first, next: first, last });
  }

  /** The size with which the next block lasts as long as it should, if the calls go on as since the newest reservation. */
  #nextSize(): number {
    const { size, at } = this.#newest;
    const wanted = (size * BLOCK_LASTS_MS) / (performance.now() - at);
    const grown = Math.min(Math.round(wanted), size * LARGEST_GROWTH);
    return Math.min(Math.max(grown, this.#options.blockSize), LARGEST_BLOCK);
  }
}
