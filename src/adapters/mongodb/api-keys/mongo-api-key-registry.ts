import type { Collection, Db } from 'mongodb';
import { hash, randomBytes } from 'node:crypto';
import {
  apiKeyNotFound,
  apiKeyNotInForce,
  issueApiKey,
  KEY_RANDOM_BYTES,
  rotateApiKey,
  type ApiKey,
  type ApiKeyMaterial,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry } from '../../../domain/api-keys/api-keys.js';
import { activeAt, type ApiKeyDocument } from './api-key-document.js';
import { checkOptions, collectionOptions } from '../collection-options.js';
import { API_KEYS_BY_DIGEST, makeIndexes } from '../indexes.js';
import { runOperation, type MongoObserver, type MongoOperationName, type OperationOptions } from '../operations.js';
import { DEFAULT_DEADLINE_MS, type Limits } from '../deadline.js';

/**
 * An {@link ApiKeyRegistry} in the collection `apiKeys` of a MongoDB database, which holds the keys' SHA-256 and no key.
 * `MongoApiKeys` verifies the keys that it issues.
 */
export class MongoApiKeyRegistry implements ApiKeyRegistry {
  readonly #db: Db;
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #options: { readonly deadlineMs: number; readonly observe: MongoObserver | undefined };

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for a deadline that is not an integer of at least 1.
   */
  constructor(db: Db, { deadlineMs = DEFAULT_DEADLINE_MS, observe }: OperationOptions = {}) {
    checkOptions({ deadlineMs });
    this.#db = db;
    this.#keys = db.collection('apiKeys', collectionOptions(deadlineMs));
    this.#options = { deadlineMs, observe };
  }

  /**
   * Makes the unique index of the digests, if there is none. `create` does so too, so there is no need to call it. Listing,
   * rotating and revoking keys need no right to make indexes.
   */
  async init(): Promise<void> {
    await makeIndexes(this.#db, [API_KEYS_BY_DIGEST], this.#options.deadlineMs);
  }

  /** Makes the unique index first, if there is none: a digest must never be stored twice. */
  async create(request: ApiKeyRequest): Promise<IssuedApiKey> {
    const issued = issueApiKey(request, material());
    await this.init();
    return this.#insert('keys.create', issued);
  }

  /** Lists by ascending `_id`, which begins with the time of creation. So the index of `_id` serves the order. */
  async list({ limit, after }: ApiKeyQuery): Promise<ApiKeyPage> {
    const filter = after === undefined ? {} : { _id: { $gt: String(after) } };
    const documents = await this.#run('keys.list', async (limits) =>
      this.#keys.find(filter, { sort: { _id: 1 }, limit: limit + 1, ...limits.options() }).toArray(),
    );
    const keys = documents.slice(0, limit).map(toApiKey);
    const last = keys.at(-1);
    return last !== undefined && documents.length > limit ? { keys, next: last.id } : { keys };
  }

  async rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey> {
    const _id = String(id);
    const successor = await this.#run('keys.rotate', async (limits) => {
      const old = await this.#keys.findOne({ _id }, limits.options());
      if (old === null) throw apiKeyNotFound();
      const { now, random } = material();
      const rotated = rotateApiKey(toApiKey(old), rotation, { now, random });
      const update = { $min: { expiresAt: rotated.expiresAt } };
      const { matchedCount } = await this.#keys.updateOne({ _id, ...activeAt(now) }, update, limits.options());
      if (matchedCount === 0) throw apiKeyNotInForce();
      return rotated.successor;
    });
    return this.#insert('keys.create', successor);
  }

  async revoke(id: string): Promise<void> {
    const _id = String(id);
    const update = { $set: { revokedAt: new Date() } };
    await this.#run('keys.revoke', async (limits) => {
      const unrevoked = { _id, revokedAt: { $exists: false } };
      const { matchedCount } = await this.#keys.updateOne(unrevoked, update, limits.options());
      if (matchedCount === 0 && (await this.#keys.findOne({ _id }, limits.options())) === null) throw apiKeyNotFound();
    });
  }

  async #insert(name: MongoOperationName, issued: IssuedApiKey): Promise<IssuedApiKey> {
    const { id, key, ...facts } = issued;
    const document = { _id: id, digest: hash('sha256', key, 'buffer'), ...facts };
    await this.#run(name, async (limits) => this.#keys.insertOne(document, limits.options()));
    return issued;
  }

  async #run<T>(name: MongoOperationName, operate: (limits: Limits) => Promise<T>): Promise<T> {
    return runOperation({ name }, this.#options, operate);
  }
}

function material(): ApiKeyMaterial {
  return { now: new Date(), random: randomBytes(KEY_RANDOM_BYTES) };
}

function toApiKey({ _id, digest: _digest, ...facts }: ApiKeyDocument): ApiKey {
  return { id: _id, ...facts };
}
