import type { Db, Document } from 'mongodb';
import { hash } from 'node:crypto';
import { isApiKeyFormat } from '../../domain/api-keys/api-key-format.js';
import { stateOfApiKey } from '../../domain/api-keys/api-key.js';
import type { ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';
import { COLLECTIONS, findDocuments } from './collections.js';
import type { ApiKeyDocument } from './mongo-api-key-registry.js';
import { inTime, operationSettings, runOperation, type OperationOptions, type OperationSettings } from './operation.js';

/** The limits of {@link MongoApiKeys}. Times are in milliseconds. */
export const API_KEY_LIMITS = {
  /** How long a call waits for the look-up of a key that is not remembered. */
  waitMs: 2000,
  /** The age from which the use of an answer asks the database again, in the background. */
  refreshAfterMs: 2000,
  /** The age from which a call waits until the database has answered again or counts as silent. */
  maxAgeMs: 4000,
  /** How long a verified key is still accepted while the database does not answer. */
  maxStaleMs: 60_000,
  /** How many verified keys are remembered. */
  maxKeys: 10_000,
  /** How many unknown keys are looked up at the same time: a flood of invented ones holds no more connections. */
  concurrentLookUps: 16,
  /** How many unknown keys may be looked up or wait for it. Beyond it, calls reject with `store_unavailable`. */
  maxLookUps: 4096,
};

type Answer = Promise<Principal | undefined>;

/** A key that the database has confirmed. */
interface VerifiedKey {
  readonly principal: Principal;
  /** When the key expires, by the clock of this machine. */
  readonly expiresAt: number;
  /** When the look-up that confirmed the key began, by the monotonic clock. */
  readonly confirmedAt: number;
  /** The look-up under way that asks the database again. */
  refresh?: Answer;
}

/** A look-up that waits for its turn. */
interface Turn {
  readonly begin: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * {@link ApiKeys} in the collection `apiKeys` of a MongoDB database, which holds their SHA-256 and no key. A
 * `MongoApiKeyRegistry` issues them.
 *
 * Keys that were verified are remembered for a few seconds: a revoked or expired key stops working within 5 seconds in every
 * process, at the price of one look-up every 2 seconds for a key in use. Only if the database is silent, a remembered key is
 * accepted for a minute. The database counts as silent from when a look-up has had no answer within `deadlineMs` until it
 * answers again.
 *
 * Each key has at most one look-up at a time. Concurrent calls share it, and it continues if no call waits for it any more: a call
 * that has waited for two seconds rejects with `store_unavailable`, and a later answer counts for later calls.
 */
export class MongoApiKeys implements ApiKeys {
  readonly #db: Db;
  readonly #settings: OperationSettings;
  readonly #limits: typeof API_KEY_LIMITS;
  /** The keys that are remembered, by the text of their digests; the one confirmed last comes last. */
  readonly #keys = new Map<string, VerifiedKey>();
  /** The look-ups of all other keys that are under way, by the text of the digest. */
  readonly #lookUps = new Map<string, Answer>();
  /** How many of them run, and those that wait for their turn. Look-ups of remembered keys do not wait behind them. */
  #running = 0;
  #waiting: Turn[] = [];
  /** Whether the last look-up of a remembered key had no answer, and no look-up has had one since. */
  #isSilent = false;

  /**
   * @param db Of a client that the caller opens and closes. Its user needs the right to read.
   * @param limits For tests, which cannot wait for a minute or for thousands of keys.
   * @throws TypeError for a deadline that is not an integer of at least 1.
   */
  constructor(db: Db, options: OperationOptions = {}, limits: Partial<typeof API_KEY_LIMITS> = {}) {
    this.#db = db;
    this.#settings = operationSettings(options);
    this.#limits = { ...API_KEY_LIMITS, ...limits };
  }

  async verify(key: string): Promise<Principal | undefined> {
    if (!isApiKeyFormat(key)) return undefined;
    const { waitMs, refreshAfterMs, maxAgeMs } = this.#limits;
    const digest = hash('sha256', key, 'hex');
    const known = this.#keys.get(digest);
    if (known === undefined || this.#isForgotten(known)) {
      return inTime(this.#lookUp(digest), waitMs, () => {
        throw new AnimalStoreError('store_unavailable', 'the API key was not verified in time');
      });
    }
    const ageMs = performance.now() - known.confirmedAt;
    if (ageMs < refreshAfterMs) return principalIfUnexpired(known);
    const answer = (known.refresh ??= this.#refresh(digest, known));
    if (ageMs >= maxAgeMs && !this.#isSilent) return answer;
    // If no call waits for it, only the observer learns that it failed. The next call that waits asks again.
    answer.catch(() => undefined);
    return principalIfUnexpired(known);
  }

  /** Looks up a key that is not remembered, unless that is under way already. */
  #lookUp(digest: string): Answer {
    const underWay = this.#lookUps.get(digest);
    if (underWay !== undefined) return underWay;
    if (this.#lookUps.size >= this.#limits.maxLookUps) {
      throw new AnimalStoreError('store_unavailable', 'too many API keys are being looked up');
    }
    const answer = this.#inTurn(async () => this.#ask(digest)).finally(() => this.#lookUps.delete(digest));
    this.#lookUps.set(digest, answer);
    return answer;
  }

  /** Looks a remembered key up again. Resolves to the last answer if the database turns out to be silent. */
  async #refresh(digest: string, known: VerifiedKey): Answer {
    try {
      return await this.#ask(digest);
    } catch (error) {
      if (!isAnimalStoreError(error) || this.#isForgotten(known)) throw error;
      this.#isSilent = true;
      return principalIfUnexpired(known);
    } finally {
      delete known.refresh;
    }
  }

  /** Runs a look-up once fewer than the maximum run. If it fails, those that wait fail too: they would have no answer either. */
  async #inTurn(lookUp: () => Answer): Answer {
    if (this.#running >= this.#limits.concurrentLookUps) {
      await new Promise<void>((begin, reject) => this.#waiting.push({ begin, reject }));
    } else this.#running++;
    try {
      return await lookUp();
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next.begin();
    }
  }

  /** Asks the database about a key, and remembers the answer, even if it arrives after the deadline. */
  #ask(digest: string): Answer {
    return runOperation('keys.look_up', this.#settings, async () => {
      const askedAt = performance.now();
      const find = { find: COLLECTIONS.apiKeys, filter: { digest: Buffer.from(digest, 'hex') }, limit: 1 };
      const [document] = await findDocuments(this.#db, find, this.#settings.deadlineMs);
      return this.#remember(digest, document, askedAt);
    });
  }

  /** Remembers what the database has answered about a key. */
  #remember(digest: string, document: Document | undefined, confirmedAt: number): Principal | undefined {
    this.#isSilent = false;
    const key = document as ApiKeyDocument | undefined;
    this.#keys.delete(digest);
    if (key === undefined || stateOfApiKey(key, new Date()) !== 'active') return undefined;
    const principal = Object.freeze({ name: key.name });
    this.#keys.set(digest, { principal, expiresAt: key.expiresAt?.getTime() ?? Infinity, confirmedAt });
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > this.#limits.maxKeys && oldest !== undefined) this.#keys.delete(oldest);
    return principal;
  }

  #isForgotten({ confirmedAt }: VerifiedKey): boolean {
    return performance.now() >= confirmedAt + this.#limits.maxStaleMs;
  }
}

function principalIfUnexpired({ principal, expiresAt }: VerifiedKey): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}
