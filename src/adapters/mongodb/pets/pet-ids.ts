import { Attempts, type Limits, type MongoObserver, runOperation } from '../operation.js';
import type { IdBlock, PetIdCounter } from './pet-id-counter.js';

/** What {@link PetIds} needs. */
export interface PetIdsOptions {
  /** The size of the first block, and of the smallest. */
  readonly blockSize: number;
  readonly deadlineMs: number;
  readonly observe: MongoObserver | undefined;
}

/** A block whose ids before `next` have been given out. */
interface OpenBlock extends IdBlock {
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
 */
export class PetIds {
  readonly #counter: PetIdCounter;
  readonly #options: PetIdsOptions;
  readonly #attempts = new Attempts();
  #blocks: OpenBlock[] = [];
  /** The reservation under way. */
  #reserving: Promise<void> | undefined;
  /** The size of the newest reservation, and when it began by the monotonic clock. */
  #newest = { size: 0, at: -Infinity };

  constructor(counter: PetIdCounter, options: PetIdsOptions) {
    this.#counter = counter;
    this.#options = options;
  }

  /**
   * The next id: immediately if one is reserved. Rejects with `store_unavailable` if there is none left and the database does not
   * answer.
   */
  next(limits: Limits): bigint | Promise<bigint> {
    return this.#blocks.length > 0 ? this.#take() : this.#nextReserved(limits);
  }

  /** Reports that an id from here was taken already. Discards the ids reserved so far. */
  reportTaken(id: bigint): void {
    const [block] = this.#blocks;
    const wasGivenUpBefore = block !== undefined && id < block.first;
    if (wasGivenUpBefore) return;
    this.#blocks = [];
    this.#counter.suspect();
  }

  /** Gives only ids that are greater than this one from now on. */
  async skipTo(id: bigint, limits: Limits): Promise<void> {
    await this.#counter.raiseTo(id, limits);
    // What is being reserved may lie before that id.
    await this.#reserving?.catch(() => undefined);
    this.#blocks = [];
  }

  async #nextReserved(limits: Limits): Promise<bigint> {
    // Calls that wait for the same block go on in the order in which they began to wait.
    while (this.#blocks.length === 0) {
      limits.signal.throwIfAborted();
      await this.#reserve();
    }
    return this.#take();
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
    this.#newest = { size, at: performance.now() };
    const { first, last } = await this.#attempts.run(deadlineMs, async (limitMs) =>
      runOperation({ name: 'ids.reserve', count: size }, { deadlineMs: limitMs, observe }, async (limits) =>
        this.#counter.reserve(size, limits),
      ),
    );
    this.#blocks.push({ first, next: first, last });
  }

  /** The size with which the next block lasts as long as it should, if the calls go on as since the newest reservation. */
  #nextSize(): number {
    const { size, at } = this.#newest;
    const wanted = (size * BLOCK_LASTS_MS) / (performance.now() - at);
    const grown = Math.min(Math.round(wanted), size * LARGEST_GROWTH);
    return Math.min(Math.max(grown, this.#options.blockSize), LARGEST_BLOCK);
  }
}
