import type { Db, Document } from 'mongodb';
import { hash } from 'node:crypto';
import { isApiKeyFormat } from '../../domain/api-keys/api-key-format.js';
import type { ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';
import { isActive, type ApiKeyDocument } from './api-key-document.js';
import { COLLECTIONS, findDocuments } from './collections.js';
import {
  checkIntegers,
  DEFAULT_DEADLINE_MS,
  DEFAULT_VERIFY_DEADLINE_MS,
  runOperation,
  type MongoObserver,
} from './operation.js';

/** The default for `maxKeys`. */
export const DEFAULT_MAX_KEYS = 10_000;
/** The default for `maxLookUps`. */
export const DEFAULT_MAX_LOOK_UPS = 4096;

/** The options of {@link MongoApiKeys}. All but the numbers of keys are in milliseconds. */
export interface MongoApiKeysOptions {
  /** How long a call waits for the look-up of a key that is not remembered. Then it rejects with `store_unavailable`. @default 2000 */
  readonly verifyDeadlineMs?: number | undefined;
  /** How long a look-up may take before the database counts as silent. A late answer counts for later calls. @default 5000, or `verifyDeadlineMs` if that is longer */
  readonly deadlineMs?: number | undefined;
  /** The age from which the use of an answer asks the database again, in the background. @default 2000 */
  readonly refreshAfterMs?: number | undefined;
  /** The age from which a call waits until the database has answered again or counts as silent. @default 4000 */
  readonly maxAgeMs?: number | undefined;
  /** How long a verified key is still accepted while the database does not answer. @default 60000 */
  readonly maxStaleMs?: number | undefined;
  /** How many verified keys are remembered. @default 10000 */
  readonly maxKeys?: number | undefined;
  /** How many unknown keys may wait for their look-ups or be looked up; beyond it, `verify` rejects with `store_unavailable`. @default 4096 */
  readonly maxLookUps?: number | undefined;
  /** Called when a look-up has ended. @default none */
  readonly observe?: MongoObserver | undefined;
}

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

/** How many unknown keys are looked up at the same time: a flood of invented ones holds no more connections. */
const CONCURRENT_LOOK_UPS = 16;

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
 * process, at the price of one look-up every 2 seconds for a key in use. Only if the database is silent does a remembered
 * key go on being accepted. It counts as silent once a look-up has had no answer within `deadlineMs`, until it answers again.
 *
 * Each key has at most one look-up at a time. Concurrent calls share it, and it continues if no call waits for it any more.
 */
export class MongoApiKeys implements ApiKeys {
  readonly #db: Db;
  readonly #observe: MongoObserver | undefined;
  readonly #options: Readonly<Record<Exclude<keyof MongoApiKeysOptions, 'observe'>, number>>;
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
   * @throws TypeError for an option that is not an integer of at least 1, or of at least 0 if it is an age.
   */
  constructor(db: Db, options: MongoApiKeysOptions = {}) {
    const { verifyDeadlineMs = DEFAULT_VERIFY_DEADLINE_MS, maxLookUps = DEFAULT_MAX_LOOK_UPS, observe } = options;
    const { deadlineMs = Math.max(DEFAULT_DEADLINE_MS, verifyDeadlineMs) } = options;
    const { refreshAfterMs = 2000, maxAgeMs = 4000, maxStaleMs = 60_000, maxKeys = DEFAULT_MAX_KEYS } = options;
    checkIntegers({ verifyDeadlineMs, deadlineMs, maxLookUps, maxKeys });
    checkIntegers({ refreshAfterMs, maxAgeMs, maxStaleMs }, 0);
    this.#options = { verifyDeadlineMs, deadlineMs, refreshAfterMs, maxAgeMs, maxStaleMs, maxKeys, maxLookUps };
    this.#db = db;
    this.#observe = observe;
  }

  async verify(key: string): Promise<Principal | undefined> {
    if (!isApiKeyFormat(key)) return undefined;
    const { refreshAfterMs, maxAgeMs } = this.#options;
    const digest = hash('sha256', key, 'hex');
    const known = this.#keys.get(digest);
    if (known === undefined || this.#isForgotten(known)) return this.#inTime(this.#lookUp(digest));
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
    if (this.#lookUps.size >= this.#options.maxLookUps) {
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

  /** Runs a look-up once fewer run than may. If it fails, so do those that wait: they would have no answer either. */
  async #inTurn(lookUp: () => Answer): Answer {
    if (this.#running >= CONCURRENT_LOOK_UPS) {
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
    const { deadlineMs } = this.#options;
    return runOperation('keys.look_up', { deadlineMs, observe: this.#observe }, async () => {
      const askedAt = performance.now();
      const find = { find: COLLECTIONS.apiKeys, filter: { digest: Buffer.from(digest, 'hex') }, limit: 1 };
      const [document] = await findDocuments(this.#db, find, deadlineMs);
      return this.#remember(digest, document, askedAt);
    });
  }

  /** Remembers what the database has answered about a key. */
  #remember(digest: string, document: Document | undefined, confirmedAt: number): Principal | undefined {
    this.#isSilent = false;
    const key = document as ApiKeyDocument | undefined;
    this.#keys.delete(digest);
    if (key === undefined || !isActive(key)) return undefined;
    const principal = Object.freeze({ name: key.name });
    this.#keys.set(digest, { principal, expiresAt: key.expiresAt?.getTime() ?? Infinity, confirmedAt });
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > this.#options.maxKeys && oldest !== undefined) this.#keys.delete(oldest);
    return principal;
  }

  #isForgotten({ confirmedAt }: VerifiedKey): boolean {
    return performance.now() >= confirmedAt + this.#options.maxStaleMs;
  }

  /** The same answer, but rejects with `store_unavailable` if it takes longer than a call waits. It then still counts. */
  async #inTime(answer: Answer): Answer {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = new AnimalStoreError('store_unavailable', 'the API key was not verified in time');
      timer = setTimeout(reject, this.#options.verifyDeadlineMs, error);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function principalIfUnexpired({ principal, expiresAt }: VerifiedKey): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}
