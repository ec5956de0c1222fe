import type { Collection, Db } from 'mongodb';
import { hash } from 'node:crypto';
import type { ApiKeys, Principal } from '../../domain/api-keys.js';
import { inForceAt, type ApiKeyDocument } from './api-key-document.js';
import { ApiKeyError } from './api-key-error.js';
import { ApiKeyLookUps } from './api-key-look-ups.js';
import { generateApiKey, isApiKeyName, isApiKeyText, randomBase62 } from './api-key-text.js';
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

/** What is known of an issued key; the key itself is not. */
export interface ApiKeyInfo {
  /** Its public id: for `rotate` and `revoke`. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt?: Date;
  readonly revokedAt?: Date;
}

/** A key just made. */
export interface NewApiKey extends ApiKeyInfo {
  /** The key: shown here, and never again. */
  readonly key: string;
}

/**
 * {@link ApiKeys} in the collection `apiKeys` of a MongoDB database, which holds their SHA-256 and no key.
 *
 * Keys that were verified are remembered for a few seconds: a revoked or expired one stops working within 5 seconds in
 * every process, with one look-up every 2 seconds for a key in use.
 */
export class MongoApiKeys implements ApiKeys {
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

  /**
   * Issues a key. Rejects with `store_unavailable`: the key may be stored then, but nobody has it.
   *
   * @throws RangeError for a name that is not 1 to 256 printable characters, and for an expiry that has passed.
   */
  async create({
    name,
    expiresAt,
  }: {
    readonly name: string;
    readonly expiresAt?: Date | undefined;
  }): Promise<NewApiKey> {
    if (!isApiKeyName(name)) throw new RangeError('name must be 1 to 256 printable characters');
    const createdAt = new Date();
    const lifetimeMs = expiresAt && expiresAt.getTime() - createdAt.getTime();
    if (lifetimeMs !== undefined && !(lifetimeMs > 0)) throw new RangeError('expiresAt must be in the future');
    return this.#issue({
      name,
      createdAt,
      ...(expiresAt !== undefined && lifetimeMs !== undefined && { expiresAt, lifetimeMs }),
    });
  }

  /** All keys that were ever issued, the oldest first, the revoked and the expired among them. Rejects with `store_unavailable`. */
  async list(): Promise<ApiKeyInfo[]> {
    const documents = await this.#within(async (limits) =>
      this.#keys.find({}, { sort: { createdAt: 1, _id: 1 }, ...limits }).toArray(),
    );
    return documents.map(toInfo);
  }

  /** Whether any key is in force. Rejects with `store_unavailable`. */
  async hasKeyInForce(): Promise<boolean> {
    const key = await this.#within(async (limits) => this.#keys.findOne(inForceAt(new Date()), limits));
    return key !== null;
  }

  /**
   * Issues a key for the same name and, where the old one expires, for as long as it was issued for. The old one expires
   * once `overlapMs` have passed, or on the day that it would have anyway, if that is sooner.
   *
   * The old key's end is set first. Where that is as far as it gets, and this rejects with `store_unavailable`, call it
   * again while the old key is in force.
   *
   * @param overlap `overlapMs`: 0 or more, in milliseconds.
   * @throws ApiKeyError where no key has the id, or the key was revoked or has expired; RangeError for the overlap.
   */
  async rotate(id: string, { overlapMs }: { readonly overlapMs: number }): Promise<NewApiKey> {
    if (!(overlapMs >= 0)) throw new RangeError('overlapMs must be 0 or more');
    const createdAt = new Date();
    const expiresAt = new Date(createdAt.getTime() + overlapMs);
    const old = await this.#within(async (limits) =>
      this.#keys.findOneAndUpdate({ _id: String(id), ...inForceAt(createdAt) }, { $min: { expiresAt } }, limits),
    );
    if (old === null) throw new ApiKeyError('no API key in force has this id');
    const { name, lifetimeMs } = old;
    const lifetime = lifetimeMs && { expiresAt: new Date(createdAt.getTime() + lifetimeMs), lifetimeMs };
    return this.#issue({ name, createdAt, ...lifetime });
  }

  /**
   * Revokes a key for good. One that was revoked before stays as it is.
   *
   * @throws ApiKeyError where no key has the id. Rejects with `store_unavailable`.
   */
  async revoke(id: string): Promise<void> {
    const revokedAt = new Date();
    const { matchedCount } = await this.#within(async (limits) =>
      this.#keys.updateOne({ _id: String(id) }, { $min: { revokedAt } }, limits),
    );
    if (matchedCount === 0) throw new ApiKeyError('no API key has this id');
  }

  async #issue(facts: Omit<ApiKeyDocument, '_id' | 'digest'>): Promise<NewApiKey> {
    const key = generateApiKey();
    const document = { _id: randomBase62(10), digest: hash('sha256', key, 'buffer'), ...facts };
    await this.#within(async (limits) => this.#keys.insertOne(document, limits));
    return { ...toInfo(document), key };
  }

  async #within<T>(operate: (limits: Limits) => Promise<T>): Promise<T> {
    return withDeadline(this.#deadlineMs, operate);
  }
}

function toInfo({ _id, name, createdAt, expiresAt, revokedAt }: ApiKeyDocument): ApiKeyInfo {
  return { id: _id, name, createdAt, ...(expiresAt && { expiresAt }), ...(revokedAt && { revokedAt }) };
}
