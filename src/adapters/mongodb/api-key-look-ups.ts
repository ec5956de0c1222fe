import type { Collection } from 'mongodb';
import { timingSafeEqual } from 'node:crypto';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';
import type { ApiKeyDocument } from './api-key-document.js';
import { hedged } from './hedged.js';
import { runOperation, type MongoObserver } from './operations.js';

/** A digest that waits for its look-up, and what settles the promise that its callers share. */
interface LookUp {
  readonly digest: Buffer;
  readonly promise: Promise<ApiKeyDocument | undefined>;
  readonly resolve: (document: ApiKeyDocument | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/** What {@link ApiKeyLookUps} needs. */
export interface ApiKeyLookUpsOptions {
  /** How long a query may take, in milliseconds. */
  readonly deadlineMs: number;
  /** How many digests may wait. */
  readonly maxWaiting: number;
  readonly observe: MongoObserver | undefined;
}

const QUERIES_AT_ONCE = 4;
const BATCH_SIZE = 256;

/**
 * Looks API keys up in the store by their digests, with at most four queries at once. Digests that arrive meanwhile wait
 * and share the next query. So a flood of made-up keys costs the store four indexed queries at a time, whatever its size,
 * and a connection that goes dead holds up only the keys of its own query, until that is tried again on another one.
 */
export class ApiKeyLookUps {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #options: ApiKeyLookUpsOptions;
  readonly #waiting = new Map<string, LookUp>();
  #queries = 0;

  constructor(keys: Collection<ApiKeyDocument>, options: ApiKeyLookUpsOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  /**
   * Resolves to the key with this digest, as the store has it after this call. Rejects with `store_unavailable` if the
   * store does not answer in time, or if too many digests wait already.
   */
  async lookUp(digest: Buffer): Promise<ApiKeyDocument | undefined> {
    const text = digest.toString('base64');
    let lookUp = this.#waiting.get(text);
    if (lookUp === undefined) {
      if (this.#waiting.size >= this.#options.maxWaiting) {
        throw new AnimalStoreError('store_unavailable', 'too many API keys are being looked up');
      }
      lookUp = createLookUp(digest);
      this.#waiting.set(text, lookUp);
      void this.#run();
    }
    return lookUp.promise;
  }

  async #run(): Promise<void> {
    if (this.#queries === QUERIES_AT_ONCE) return;
    this.#queries++;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, BATCH_SIZE);
      for (const { digest } of batch) this.#waiting.delete(digest.toString('base64'));
      try {
        const found = await this.#query(batch.map(({ digest }) => digest));
        for (const { digest, resolve } of batch) resolve(found.find((key) => isSameDigest(key.digest, digest)));
      } catch (error) {
        this.#fail(batch, error);
      }
    }
    this.#queries--;
  }

  /** If the store is silent, rejects the digests that still wait, too: they would only find out one batch after another. */
  #fail(batch: readonly LookUp[], error: unknown): void {
    const waiting = isAnimalStoreError(error) ? [...this.#waiting.values()] : [];
    for (const { digest } of waiting) this.#waiting.delete(digest.toString('base64'));
    for (const { reject } of [...batch, ...waiting]) reject(error);
  }

  async #query(digests: Buffer[]): Promise<ApiKeyDocument[]> {
    const { deadlineMs, observe } = this.#options;
    const count = digests.length;
    return hedged(deadlineMs, async (remainingMs) =>
      runOperation({ name: 'keys.look_up', count }, { deadlineMs: remainingMs, observe }, async (limits) =>
        this.#keys
          .find({ digest: { $in: digests } }, { limit: count, batchSize: count, singleBatch: true, ...limits })
          .toArray(),
      ),
    );
  }
}

function createLookUp(digest: Buffer): LookUp {
  let resolve!: LookUp['resolve'];
  let reject!: LookUp['reject'];
  const promise = new Promise<ApiKeyDocument | undefined>((...settlers) => ([resolve, reject] = settlers));
  return { digest, promise, resolve, reject };
}

function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
