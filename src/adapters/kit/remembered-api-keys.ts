import { hash } from 'node:crypto';
import { isApiKeyFormat } from '../../domain/api-keys/api-key-format.js';
import { stateOfApiKey, type ApiKey } from '../../domain/api-keys/api-key.js';
import type { ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';
import { inTime } from './bounded-call.js';

/** How long a call waits for the look-up of a key that is not remembered, in milliseconds. */
const WAIT_MS = 2000;
/** The age from which the use of a remembered key looks it up again, in the background. */
const REFRESH_AFTER_MS = 2000;
/** The age from which a call waits until the database has answered again or counts as silent. */
const MAX_AGE_MS = 4000;
/** How long a verified key is still accepted while the database is silent. */
const MAX_STALE_MS = 60_000;
export const MAX_KEYS = 10_000;
export const MAX_LOOK_UPS = 4096;

/**
 * Looks up what is stored about the key with a SHA-256; whether it is active is not its business.
 *
 * Rejects with `store_unavailable` if the database does not answer in time, as `boundedCall` does, and with the original error for
 * everything else.
 *
 * @param digest The SHA-256 of the key, in 64 lower-case hexadecimal digits.
 * @returns `undefined` if no key has this digest.
 */
export type LookUpApiKey = (digest: string) => Promise<Pick<ApiKey, 'name' | 'expiresAt' | 'revokedAt'> | undefined>;

/** The options of {@link RememberedApiKeys}. */
export interface RememberedApiKeysOptions {
  /**
   * How many keys that are not remembered are looked up concurrently, at least 1. Let it be at most half of your connections,
   * so that a flood of invented keys leaves some to the rest.
   * @default 16
   */
  readonly concurrentLookUps?: number | undefined;
}

type LookUp = Promise<Principal | undefined>;

interface VerifiedKey {
  readonly principal: Principal;
  /** By the clock of this machine. */
  readonly expiresAt: number;
  /** When the look-up that confirmed the key began, by the monotonic clock. */
  readonly confirmedAt: number;
  refresh?: LookUp;
}

interface Turn {
  readonly begin: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * {@link ApiKeys} that remember, for a few seconds, what a database says about a key: a revoked or expired key stops working
 * within 5 seconds in every process, at the price of one look-up every 2 seconds for a key in use. Texts that have not the form of a
 * key are refused without a look-up.
 *
 * Only if the database is silent, a remembered key is accepted for a minute. It counts as silent from when a look-up of a
 * remembered key rejects with `store_unavailable` until a look-up resolves.
 *
 * Each key has at most one look-up at a time. Concurrent calls share it, and it continues if no call waits for it any more: a call
 * that has waited for two seconds for the look-up of an unknown key rejects with `store_unavailable`, and what comes after that counts
 * for later calls. At most 4,096 unknown keys are looked up or wait for it. Beyond that, calls reject with `store_unavailable`.
 *
 * @example
 * const apiKeys = new RememberedApiKeys(async (digest) => findApiKey({ digest }));
 */
export class RememberedApiKeys implements ApiKeys {
  readonly #lookUpKey: LookUpApiKey;
  readonly #concurrentLookUps: number;
  /** By digest; the one confirmed last comes last. */
  readonly #keys = new Map<string, VerifiedKey>();
  /** Those of keys that are not remembered, by digest. */
  readonly #lookUps = new Map<string, LookUp>();
  /** How many of them run, and those that wait for their turn. Look-ups of remembered keys do not wait behind them. */
  #running = 0;
  #waiting: Turn[] = [];
  /** Whether the last look-up of a remembered key was in vain, and none has succeeded since. */
  #isSilent = false;

  /** @throws TypeError for a number of look-ups that is not an integer of at least 1. */
  constructor(lookUp: LookUpApiKey, { concurrentLookUps = 16 }: RememberedApiKeysOptions = {}) {
    if (!Number.isInteger(concurrentLookUps) || concurrentLookUps < 1) {
      throw new TypeError('concurrentLookUps must be an integer of at least 1');
    }
    this.#lookUpKey = lookUp;
    this.#concurrentLookUps = concurrentLookUps;
  }

  async verify(key: string): Promise<Principal | undefined> {
    if (!isApiKeyFormat(key)) return undefined;
    const digest = hash('sha256', key);
    const known = this.#keys.get(digest);
    if (known === undefined || isForgotten(known)) {
      return inTime(this.#lookUp(digest), WAIT_MS, () => {
        throw new AnimalStoreError('store_unavailable', 'the API key was not verified in time');
      });
    }
    const ageMs = performance.now() - known.confirmedAt;
    if (ageMs < REFRESH_AFTER_MS) return principalIfUnexpired(known);
    const refresh = (known.refresh ??= this.#refresh(digest, known));
    if (ageMs >= MAX_AGE_MS && !this.#isSilent) return refresh;
    // No call waits for this look-up. If it fails, the next call that waits asks again.
    refresh.catch(() => undefined);
    return principalIfUnexpired(known);
  }

  #lookUp(digest: string): LookUp {
    const underWay = this.#lookUps.get(digest);
    if (underWay !== undefined) return underWay;
    if (this.#lookUps.size >= MAX_LOOK_UPS) {
      throw new AnimalStoreError('store_unavailable', 'too many API keys are being looked up');
    }
    const lookUp = this.#inTurn(digest).finally(() => this.#lookUps.delete(digest));
    this.#lookUps.set(digest, lookUp);
    return lookUp;
  }

  async #refresh(digest: string, known: VerifiedKey): LookUp {
    try {
      return await this.#ask(digest);
    } catch (error) {
      if (!isAnimalStoreError(error) || isForgotten(known)) throw error;
      this.#isSilent = true;
      return principalIfUnexpired(known);
    } finally {
      delete known.refresh;
    }
  }

  /** If a look-up fails, those that wait fail too: they would wait in vain. */
  async #inTurn(digest: string): LookUp {
    if (this.#running >= this.#concurrentLookUps) {
      await new Promise<void>((begin, reject) => this.#waiting.push({ begin, reject }));
    } else this.#running++;
    try {
      return await this.#ask(digest);
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
      throw error;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next.begin();
    }
  }

  async #ask(digest: string): LookUp {
    const confirmedAt = performance.now();
    const key = await this.#lookUpKey(digest);
    this.#isSilent = false;
    this.#keys.delete(digest);
    if (key === undefined || stateOfApiKey(key, new Date()) !== 'active') return undefined;
    const principal = Object.freeze({ name: key.name });
    this.#keys.set(digest, { principal, expiresAt: key.expiresAt?.getTime() ?? Infinity, confirmedAt });
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS && oldest !== undefined) this.#keys.delete(oldest);
    return principal;
  }
}

function isForgotten({ confirmedAt }: VerifiedKey): boolean {
  return performance.now() >= confirmedAt + MAX_STALE_MS;
}

function principalIfUnexpired({ principal, expiresAt }: VerifiedKey): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}
