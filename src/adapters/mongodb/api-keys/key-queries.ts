import type { Collection } from 'mongodb';
import { Attempts, type OperationSettings, runOperation } from '../operation.js';
import type { ApiKeyDocument } from './api-key-document.js';

/** A digest that waits for its query. */
interface Waiting {
  readonly digest: string;
  readonly resolve: (document: ApiKeyDocument | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const CONCURRENT_QUERIES = 4;

/**
 * Finds keys by their digests, with at most four concurrent queries. Digests that arrive in the meantime share the next query. So a
 * flood of made-up keys costs the database four indexed queries at a time, whatever its size, and a connection that goes dead
 * holds up only the keys of its own query, until that is tried again on another one.
 */
export class KeyQueries {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #settings: OperationSettings;
  readonly #attempts: Attempts;
  #running = 0;
  #waiting: Waiting[] = [];

  constructor(keys: Collection<ApiKeyDocument>, settings: OperationSettings, attempts = new Attempts()) {
    this.#keys = keys;
    this.#settings = settings;
    this.#attempts = attempts;
  }

  /**
   * Resolves to the key, as the database has it after this call. Rejects with `store_unavailable` if it does not answer.
   *
   * @param digest The SHA-256 of the key in hexadecimal digits.
   */
  find(digest: string): Promise<ApiKeyDocument | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ digest, resolve, reject });
      // Digests of the same tick share a query.
      queueMicrotask(() => void this.#findWaiting());
    });
  }

  /** Runs queries one after the other, each for all digests that wait by then, unless as many of these run as may. */
  async #findWaiting(): Promise<void> {
    if (this.#running === CONCURRENT_QUERIES) return;
    this.#running++;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        const documents = await this.#query(batch.map(({ digest }) => Buffer.from(digest, 'hex')));
        const found = new Map(documents.map((document) => [document.digest.toString('hex'), document]));
        for (const { digest, resolve } of batch) resolve(found.get(digest));
      } catch (error) {
        // The database would not answer a query for those that wait either.
        for (const { reject } of [...batch, ...this.#waiting.splice(0)]) reject(error);
      }
    }
    this.#running--;
  }

  async #query(digests: readonly Buffer[]): Promise<ApiKeyDocument[]> {
    const { deadlineMs, observe } = this.#settings;
    const count = digests.length;
    return this.#attempts.run(deadlineMs, async (limitMs) =>
      runOperation({ name: 'keys.look_up', count }, { deadlineMs: limitMs, observe }, async (limits) =>
        this.#keys
          .find(
            { digest: { $in: digests } },
            { limit: count, batchSize: count, singleBatch: true, ...limits.startCall() },
          )
          .toArray(),
      ),
    );
  }
}
