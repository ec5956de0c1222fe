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
} from '../../domain/api-key.js';
import { isApiKeyText } from '../../domain/api-key-text.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry, ApiKeys, Principal } from '../../domain/api-keys.js';
import { inForceAt, type ApiKeyDocument } from './api-key-document.js';
import { ApiKeyLookUps } from './api-key-look-ups.js';
import { checkOptions, collectionOptions } from './collection-options.js';
import { DEFAULT_DEADLINE_MS, withDeadline, type Limits } from './store-unavailable.js';
import { VerifiedApiKeys } from './verified-api-keys.js';

/** What may be set about {@link MongoApiKeys}. All but the numbers of keys in milliseconds. */
export interface MongoApiKeysOptions {
  /** After how long without an answer `create`, `list`, `rotate` and `revoke` reject. @default 5000 */
  readonly deadlineMs?: number;
  /** After how long without an answer the store counts as silent for `verify`. @default 2000 */
  readonly verifyDeadlineMs?: number;
  /** How old the store's answer about a key in use gets before it is asked again, in the background. @default 2000 */
  readonly refreshAfterMs?: number;
  /** How old it gets before a call waits for the new one: a revoked key stops working within it. @default 4000 */
  readonly maxAgeMs?: number;
  /** For how long a verified key goes on being accepted while the store is silent. @default 60000 */
  readonly maxSilenceMs?: number;
  /** How many verified keys are remembered. @default 10000 */
  readonly maxKeys?: number;
  /** How many unknown keys wait to be looked up; for one more, `verify` rejects with `store_unavailable`. @default 4096 */
  readonly maxLookUps?: number;
}

/**
 * {@link ApiKeys} and their {@link ApiKeyRegistry} in the collection `apiKeys` of a MongoDB database, which holds the keys'
 * SHA-256 and no key.
 *
 * Keys that were verified are remembered for a few seconds: a revoked or expired one stops working within 5 seconds in
 * every process, with one look-up every 2 seconds for a key in use.
 */
export class MongoApiKeys implements ApiKeys, ApiKeyRegistry {
  readonly #keys: Collection<ApiKeyDocument>;
  readonly #verified: VerifiedApiKeys;
  readonly #deadlineMs: number;

  /**
   * @param db Of a client that the caller opens and closes.
   * @throws TypeError for an option that is not an integer of at least 1; of at least 0 where it is an age.
   */
  constructor(db: Db, options: MongoApiKeysOptions = {}) {
    const { deadlineMs = DEFAULT_DEADLINE_MS, verifyDeadlineMs = 2000, maxLookUps = 4096 } = options;
    const { refreshAfterMs = 2000, maxAgeMs = 4000, maxSilenceMs = 60_000, maxKeys = 10_000 } = options;
    checkOptions({ deadlineMs, verifyDeadlineMs, maxLookUps, maxKeys });
    checkOptions({ refreshAfterMs, maxAgeMs, maxSilenceMs }, 0);
    this.#deadlineMs = deadlineMs;
    this.#keys = db.collection('apiKeys', collectionOptions(deadlineMs));
    const lookUps = (maxWaiting: number) => new ApiKeyLookUps(this.#keys, verifyDeadlineMs, maxWaiting);
    this.#verified = new VerifiedApiKeys(lookUps(maxKeys), lookUps(maxLookUps), {
      refreshAfterMs,
      maxAgeMs,
      maxSilenceMs,
      silenceMs: verifyDeadlineMs + 1000,
      maxKeys,
    });
  }

  /** Makes the unique index of the digests: to be called before the first use of a database, and any number of times. */
  async init(): Promise<void> {
    await this.#within(async (limits) => this.#keys.createIndex({ digest: 1 }, { unique: true }, limits));
  }

  async verify(key: string): Promise<Principal | undefined> {
    return isApiKeyText(key) ? this.#verified.principalOf(hash('sha256', key, 'buffer')) : undefined;
  }

  async create(request: ApiKeyRequest): Promise<IssuedApiKey> {
    return this.#insert(issueApiKey(request, material()));
  }

  async list({ limit, after }: ApiKeyQuery): Promise<ApiKeyPage> {
    const filter = after === undefined ? {} : { _id: { $gt: String(after) } };
    const documents = await this.#within(async (limits) =>
      this.#keys.find(filter, { sort: { _id: 1 }, limit: limit + 1, ...limits }).toArray(),
    );
    const keys = documents.slice(0, limit).map(toApiKey);
    const last = keys.at(-1);
    return last !== undefined && documents.length > limit ? { keys, next: last.id } : { keys };
  }

  /** Whether any key is in force. Rejects with `store_unavailable`. */
  async hasKeyInForce(): Promise<boolean> {
    const key = await this.#within(async (limits) => this.#keys.findOne(inForceAt(new Date()), limits));
    return key !== null;
  }

  async rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey> {
    const _id = String(id);
    const document = await this.#within(async (limits) => this.#keys.findOne({ _id }, limits));
    if (document === null) throw apiKeyNotFound();
    const { now, random } = material();
    const { expiresAt, successor } = rotateApiKey(toApiKey(document), rotation, { now, random });
    const { matchedCount } = await this.#within(async (limits) =>
      this.#keys.updateOne({ _id, ...inForceAt(now) }, { $min: { expiresAt } }, limits),
    );
    if (matchedCount === 0) throw apiKeyNotInForce();
    return this.#insert(successor);
  }

  async revoke(id: string): Promise<void> {
    const revokedAt = new Date();
    const { matchedCount } = await this.#within(async (limits) =>
      this.#keys.updateOne({ _id: String(id) }, { $min: { revokedAt } }, limits),
    );
    if (matchedCount === 0) throw apiKeyNotFound();
  }

  async #insert(issued: IssuedApiKey): Promise<IssuedApiKey> {
    const { id, key, ...facts } = issued;
    const document = { _id: id, digest: hash('sha256', key, 'buffer'), ...facts };
    await this.#within(async (limits) => this.#keys.insertOne(document, limits));
    return issued;
  }

  async #within<T>(operate: (limits: Limits) => Promise<T>): Promise<T> {
    return withDeadline(this.#deadlineMs, operate);
  }
}

function material(): ApiKeyMaterial {
  return { now: new Date(), random: randomBytes(KEY_RANDOM_BYTES) };
}

function toApiKey({ _id, digest: _digest, ...facts }: ApiKeyDocument): ApiKey {
  return { id: _id, ...facts };
}
