import type { Collection } from 'mongodb';
import { timingSafeEqual } from 'node:crypto';
import { AnimalStoreError } from '../../../domain/errors.js';
import type { ApiKeyDocument } from './api-key-document.js';
import { inAttempts, type MongoObserver, runOperation } from '../operation.js';

/** What {@link ApiKeyLookUps} needs. */
export interface ApiKeyLookUpsOptions {
  /** How long a query may take, in milliseconds. */
  readonly deadlineMs: number;
  /** How many digests may wait. */
  readonly maxWaiting: number;
  readonly observe: MongoObserver | undefined;
}

/** Digests that share one query, and the keys that it finds, each by the text of the digest. */
interface Batch {
  readonly digests: Map<string, Buffer>;
  readonly found: Promise<ReadonlyMap<string, ApiKeyDocument>>;
}

const QUERIES_AT_ONCE = 4;

/**
 * Looks API keys up in the database by their digests, with at most four queries at once. Digests that arrive meanwhile wait
 * and share the next query. So a flood of made-up keys costs the database four indexed queries at a time, whatever its size,
 * and a connection that goes dead holds up only the keys of its own query, until that is tried again on another one.
 */
export class ApiKeyLookUps {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #options: ApiKeyLookUpsOptions;
  readonly #queries = new Set<Promise<unknown>>();
  /** The batch that waits to be queried. */
  #waiting: Batch | undefined;

  constructor(keys: Collection<ApiKeyDocument>, options: ApiKeyLookUpsOptions) {
    this.#keys = keys;
    this.#options = options;
  }

  /**
   * Resolves to the key with this digest, as the database has it after this call. Rejects with `store_unavailable` if the
   * database does not answer in time, or if too many digests wait already.
   */
  async lookUp(digest: Buffer): Promise<ApiKeyDocument | undefined> {
    const text = digest.toString('base64');
    const batch = (this.#waiting ??= this.#openBatch());
    if (batch.digests.size >= this.#options.maxWaiting && !batch.digests.has(text)) {
      throw new AnimalStoreError('store_unavailable', 'too many API keys are being looked up');
    }
    batch.digests.set(text, digest);
    const found = (await batch.found).get(text);
    return found !== undefined && timingSafeEqual(found.digest, digest) ? found : undefined;
  }

  #openBatch(): Batch {
    const digests = new Map<string, Buffer>();
    return { digests, found: this.#find(digests) };
  }

  /** Waits for its turn, and queries the digests that the batch has by then. */
  async #find(digests: Batch['digests']): Promise<ReadonlyMap<string, ApiKeyDocument>> {
    try {
      await this.#turn();
    } finally {
      this.#waiting = undefined;
    }
    const query = this.#query([...digests.values()]).finally(() => this.#queries.delete(query));
    this.#queries.add(query);
    const documents = await query;
    return new Map(documents.map((document) => [document.digest.toString('base64'), document]));
  }

  /**
   * Resolves when another query may start, but not at once, so that digests of the same moment share a query. Rejects if a
   * query that is under way does: the database would not answer the next one either.
   */
  async #turn(): Promise<void> {
    await Promise.resolve();
    while (this.#queries.size === QUERIES_AT_ONCE) await Promise.race(this.#queries);
  }

  async #query(digests: Buffer[]): Promise<ApiKeyDocument[]> {
    const { deadlineMs, observe } = this.#options;
    const count = digests.length;
    return inAttempts(deadlineMs, async (limitMs) =>
      runOperation({ name: 'keys.look_up', count }, { deadlineMs: limitMs, observe }, async (limits) =>
        this.#keys
          .find(
            { digest: { $in: digests } },
            { limit: count, batchSize: count, singleBatch: true, ...limits.options() },
          )
          .toArray(),
      ),
    );
  }
}
