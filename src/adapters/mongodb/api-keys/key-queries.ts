import type { Collection } from 'mongodb';
import { Attempts, type OperationSettings, runOperation } from '../operation.js';
import type { ApiKeyDocument } from './api-key-document.js';

/** What {@link KeyQueries} needs. */
export interface KeyQueriesOptions extends OperationSettings {
  /** How long each attempt but the last may take. @default as `Attempts` */
  readonly attemptsMs?: readonly number[];
}

/** Digests that share a query, and the keys that it finds, by their digests. */
interface Batch {
  readonly digests: string[];
  readonly found: Promise<ReadonlyMap<string, ApiKeyDocument>>;
}

const CONCURRENT_QUERIES = 4;

/**
 * Finds keys by their digests, with at most four concurrent queries. Digests that arrive in the meantime share the next query. So a
 * flood of made-up keys costs the database four indexed queries at a time, whatever its size, and a connection that goes dead
 * holds up only the keys of its own query, until that is tried again on another one.
 */
export class KeyQueries {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #options: KeyQueriesOptions;
  readonly #attempts: Attempts;
  readonly #running = new Set<Promise<unknown>>();
  /** The batch that waits for its turn. */
  #next: Batch | undefined;

  constructor(keys: Collection<ApiKeyDocument>, options: KeyQueriesOptions) {
    this.#keys = keys;
    this.#options = options;
    this.#attempts = new Attempts(options.attemptsMs);
  }

  /**
   * Resolves to the key, as the database has it after this call. Rejects with `store_unavailable` if it does not answer.
   *
   * @param digest The SHA-256 of the key in hexadecimal digits.
   */
  async find(digest: string): Promise<ApiKeyDocument | undefined> {
    const digests: string[] = [];
    const batch = (this.#next ??= { digests, found: this.#findAll(digests) });
    batch.digests.push(digest);
    return (await batch.found).get(digest);
  }

  /** Waits until another query may start, and finds those that the batch has by then. */
  async #findAll(digests: readonly string[]): Batch['found'] {
    try {
      // Digests of the same tick share a query.
      await Promise.resolve();
      // If a running query rejects, this does, too: the database would not answer the next one either.
      while (this.#running.size === CONCURRENT_QUERIES) await Promise.race(this.#running);
    } finally {
      this.#next = undefined;
    }
    const query = this.#query(digests.map((digest) => Buffer.from(digest, 'hex')));
    const ended = query.finally(() => this.#running.delete(ended));
    this.#running.add(ended);
    return new Map((await ended).map((document) => [document.digest.toString('hex'), document]));
  }

  async #query(digests: readonly Buffer[]): Promise<ApiKeyDocument[]> {
    const { deadlineMs, observe } = this.#options;
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
