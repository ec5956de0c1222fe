import type { Db } from 'mongodb';
import { hash } from 'node:crypto';
import { isApiKeyText } from '../../../domain/api-keys/api-key-text.js';
import type { ApiKeys, Principal } from '../../../domain/api-keys/api-keys.js';
import type { ApiKeyDocument } from './api-key-document.js';
import { checkOptions } from '../check-options.js';
import { collectionOptions } from '../collection-options.js';
import { DEFAULT_DEADLINE_MS, DEFAULT_VERIFY_DEADLINE_MS, type MongoObserver } from '../operation.js';
import { VerifiedApiKeys } from './verified-api-keys.js';

/** The options of {@link MongoApiKeys}. All but the numbers of keys are in milliseconds. */
export interface MongoApiKeysOptions {
  /** How long a call waits for the database. Then it accepts a remembered key, or rejects with `store_unavailable`. @default 2000 */
  readonly verifyDeadlineMs?: number;
  /** How long a look-up may take before the database counts as silent. A late answer counts for later calls. @default 5000 */
  readonly deadlineMs?: number;
  /** The age from which the use of an answer asks the database again, in the background. @default 2000 */
  readonly refreshAfterMs?: number;
  /** The age from which a call waits for a new answer: a revoked key stops working within it. @default 4000 */
  readonly maxAgeMs?: number;
  /** For how long a verified key goes on being accepted while the database is silent. @default 60000 */
  readonly maxSilenceMs?: number;
  /** How many verified keys are remembered. @default 10000 */
  readonly maxKeys?: number;
  /** How many unknown keys are looked up at once; for one more, `verify` rejects with `store_unavailable`. @default 4096 */
  readonly maxLookUps?: number;
  /** Called when a look-up has ended. @default none */
  readonly observe?: MongoObserver;
}

/**
 * {@link ApiKeys} in the collection `apiKeys` of a MongoDB database, which holds their SHA-256 and no key. A
 * `MongoApiKeyRegistry` issues them.
 *
 * Keys that were verified are remembered for a few seconds: a revoked or expired key stops working within 5 seconds, and
 * the time of one answer of the database, in every process, at the price of one look-up every 2 seconds for a key in use. If
 * the database has just become slow, one look-up may fail before, which takes up to `deadlineMs` longer.
 */
export class MongoApiKeys implements ApiKeys {
  readonly #verified: VerifiedApiKeys;

  /**
   * @param db Of a client that the caller opens and closes. Its user needs the right to read.
   * @throws TypeError for an option that is not an integer of at least 1, or of at least 0 if it is an age.
   */
  constructor(db: Db, options: MongoApiKeysOptions = {}) {
    const { verifyDeadlineMs = DEFAULT_VERIFY_DEADLINE_MS, maxLookUps = 4096, observe } = options;
    const { deadlineMs = Math.max(DEFAULT_DEADLINE_MS, verifyDeadlineMs) } = options;
    const { refreshAfterMs = 2000, maxAgeMs = 4000, maxSilenceMs = 60_000, maxKeys = 10_000 } = options;
    checkOptions({ verifyDeadlineMs, deadlineMs, maxLookUps, maxKeys });
    checkOptions({ refreshAfterMs, maxAgeMs, maxSilenceMs }, 0);
    const keys = db.collection<ApiKeyDocument>('apiKeys', collectionOptions(deadlineMs));
    const limits = { verifyDeadlineMs, deadlineMs, refreshAfterMs, maxAgeMs, maxSilenceMs, maxKeys, maxLookUps };
    this.#verified = new VerifiedApiKeys(keys, { ...limits, observe });
  }

  async verify(key: string): Promise<Principal | undefined> {
    return isApiKeyText(key) ? this.#verified.principalOf(hash('sha256', key, 'buffer')) : undefined;
  }
}
