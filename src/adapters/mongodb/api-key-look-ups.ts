import type { Collection } from 'mongodb';
import { timingSafeEqual } from 'node:crypto';
import { AnimalStoreError } from '../../domain/errors.js';
import type { ApiKeyDocument } from './api-key-document.js';
import { withDeadline } from './store-unavailable.js';

interface LookUp {
  readonly digest: Buffer;
  readonly callers: {
    readonly resolve: (document: ApiKeyDocument | undefined) => void;
    readonly reject: (error: unknown) => void;
  }[];
}

const BATCH_SIZE = 256;

/**
 * Looks keys up in the store by their digests, one query at a time: what comes meanwhile waits, and goes together with
 * the next one. So a flood of made-up keys costs the store one indexed query after the other, and no more.
 */
export class ApiKeyLookUps {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #deadlineMs: number;
  readonly #maxWaiting: number;
  readonly #waiting = new Map<string, LookUp>();
  #running = false;

  constructor(keys: Collection<ApiKeyDocument>, deadlineMs: number, maxWaiting: number) {
    this.#keys = keys;
    this.#deadlineMs = deadlineMs;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Resolves to the key with this digest. Calls with the same one share an answer. Rejects with `store_unavailable` where
   * the store does not answer in time, or where too many look-ups wait already.
   */
  async lookUp(digest: Buffer): Promise<ApiKeyDocument | undefined> {
    const text = digest.toString('base64');
    let lookUp = this.#waiting.get(text);
    if (lookUp === undefined) {
      if (this.#waiting.size >= this.#maxWaiting) {
        throw new AnimalStoreError('store_unavailable', 'too many API keys are being looked up');
      }
      lookUp = { digest, callers: [] };
      this.#waiting.set(text, lookUp);
    }
    const { callers } = lookUp;
    return new Promise((resolve, reject) => {
      callers.push({ resolve, reject });
      if (!this.#running) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting.values()].slice(0, BATCH_SIZE);
      for (const { digest } of batch) this.#waiting.delete(digest.toString('base64'));
      try {
        const found = await this.#query(batch.map(({ digest }) => digest));
        for (const { digest, callers } of batch) {
          const document = found.find((key) => isSameDigest(key.digest, digest));
          for (const { resolve } of callers) resolve(document);
        }
      } catch (error) {
        for (const { callers } of [...batch, ...this.#waiting.values()])
          for (const { reject } of callers) reject(error);
        this.#waiting.clear();
      }
    }
    this.#running = false;
  }

  async #query(digests: Buffer[]): Promise<ApiKeyDocument[]> {
    return withDeadline(this.#deadlineMs, async (limits) =>
      this.#keys
        .find(
          { digest: { $in: digests } },
          { limit: digests.length, batchSize: digests.length, singleBatch: true, ...limits },
        )
        .toArray(),
    );
  }
}

function isSameDigest(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
