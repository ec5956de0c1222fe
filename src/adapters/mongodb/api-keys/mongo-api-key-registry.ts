import type { Collection, Db } from 'mongodb';
import type { ApiKeyRecord } from '../../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry } from '../../../domain/api-keys/api-keys.js';
import { documentOf, recordOf, type ApiKeyDocument } from './api-key-document.js';
import { collectionOptions, insertIfFree } from '../collections.js';
import { API_KEYS_BY_DIGEST, makeIndexes } from '../schema/indexes.js';
import {
  checkIntegers,
  DEFAULT_DEADLINE_MS,
  type OperationLimits,
  type MongoOperationName,
  type OperationOptions,
  type OperationSettings,
  runOperation,
} from '../operation.js';

/**
 * An {@link ApiKeyRegistry} in the collection `apiKeys` of a MongoDB database, which holds the SHA-256 of each key.
 * `MongoApiKeys` verifies these keys.
 */
export class MongoApiKeyRegistry implements ApiKeyRegistry {
  readonly #db: Db;
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #options: OperationSettings;

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for a deadline that is not an integer of at least 1.
   */
  constructor(db: Db, { deadlineMs = DEFAULT_DEADLINE_MS, observe }: OperationOptions = {}) {
    checkIntegers({ deadlineMs });
    this.#db = db;
    this.#keys = db.collection('apiKeys', collectionOptions(deadlineMs));
    this.#options = { deadlineMs, observe };
  }

  /**
   * Creates the unique index of the digests if it is missing. `add` does so too, so there is no need to call it. The other
   * methods need no index of digests.
   */
  async init(): Promise<void> {
    await makeIndexes(this.#db, [API_KEYS_BY_DIGEST], this.#options.deadlineMs);
  }

  /** Makes the unique index first, if there is none: a digest must never be stored twice. */
  async add(record: ApiKeyRecord): Promise<boolean> {
    await this.init();
    return this.#run('keys.add', async (limits) => insertIfFree(this.#keys, documentOf(record), limits.startCall()));
  }

  /** The index of `_id` serves the order. */
  async list({ limit, after }: ApiKeyQuery): Promise<ApiKeyPage> {
    const filter = after === undefined ? {} : { _id: { $gt: String(after) } };
    const documents = await this.#run('keys.list', async (limits) =>
      this.#keys.find(filter, { sort: { _id: 1 }, limit: limit + 1, ...limits.startCall() }).toArray(),
    );
    const keys = documents.slice(0, limit).map(recordOf);
    const last = keys.at(-1);
    return last !== undefined && documents.length > limit ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    const filter = { _id: String(id) };
    const document = await this.#run('keys.find', async (limits) => this.#keys.findOne(filter, limits.startCall()));
    return document === null ? undefined : recordOf(document);
  }

  /** The server compares and sets in one step, as it does for each document. */
  async replace(before: ApiKeyRecord, { expiresAt, revokedAt }: ApiKeyRecord): Promise<boolean> {
    const absent = { $exists: false } as const;
    const asItWas = {
      _id: before.id,
      expiresAt: before.expiresAt ?? absent,
      revokedAt: before.revokedAt ?? absent,
    };
    const update = { $set: { ...(expiresAt && { expiresAt }), ...(revokedAt && { revokedAt }) } };
    const { matchedCount } = await this.#run('keys.replace', async (limits) =>
      this.#keys.updateOne(asItWas, update, limits.startCall()),
    );
    return matchedCount === 1;
  }

  async #run<T>(name: MongoOperationName, operate: (limits: OperationLimits) => Promise<T>): Promise<T> {
    return runOperation({ name }, this.#options, operate);
  }
}
