import type { Principal } from '../../../domain/api-keys/api-keys.js';
import { AnimalStoreError, isAnimalStoreError } from '../../../domain/errors.js';
import { isActive } from './api-key-document.js';
import type { ApiKeyLookUps } from './api-key-look-ups.js';

/** How long calls wait for the database, and use its answer about a key. All in milliseconds but the number of keys. */
export interface VerifiedApiKeysLimits {
  /** How long a call waits for the database. An answer that comes later counts for the calls after it. */
  readonly patienceMs: number;
  /** From this age on, the use of an answer asks the database again in the background. */
  readonly refreshAfterMs: number;
  /** From this age on, a call waits for a new answer. */
  readonly maxAgeMs: number;
  /** From this age on, an answer is not used any more, even if the database is silent. */
  readonly maxSilenceMs: number;
  /** How many keys are remembered. */
  readonly maxKeys: number;
}

/** A key that the database has confirmed. Times are those of the monotonic clock, except for the expiry. */
interface VerifiedKey {
  readonly principal: Principal;
  readonly expiresAt: number;
  /** When the look-up that confirmed the key began. */
  readonly confirmedAt: number;
  /** The time from which a call waits for the database. It is put off each time that the database turns out to be silent. */
  waitFrom: number;
  /** The look-up under way that asks the database again. It settles when the database has answered, or counts as silent. */
  refresh?: Promise<Principal | undefined> | undefined;
}

/**
 * Remembers the keys that the database has confirmed, and nothing about others. Checks a key's expiry at each use, and asks
 * the database again every few seconds, while the key is in use, whether it is still active.
 */
export class VerifiedApiKeys {
  readonly #lookUpsOfRemembered: ApiKeyLookUps;
  readonly #lookUpsOfOthers: ApiKeyLookUps;
  readonly #limits: VerifiedApiKeysLimits;
  /** By the text of the digest; the key confirmed last comes last. */
  readonly #keys = new Map<string, VerifiedKey>();

  /**
   * @param lookUpsOfRemembered Looks up remembered keys, so that they do not wait behind a flood of made-up ones.
   * @param lookUpsOfOthers Looks up all other keys.
   */
  constructor(lookUpsOfRemembered: ApiKeyLookUps, lookUpsOfOthers: ApiKeyLookUps, limits: VerifiedApiKeysLimits) {
    this.#lookUpsOfRemembered = lookUpsOfRemembered;
    this.#lookUpsOfOthers = lookUpsOfOthers;
    this.#limits = limits;
  }

  /** The principal of the key with this digest. Rejects if only the database can tell, and it does not answer in time. */
  async principalOf(digest: Buffer): Promise<Principal | undefined> {
    const { refreshAfterMs, maxSilenceMs } = this.#limits;
    const key = this.#keys.get(digest.toString('base64'));
    const now = performance.now();
    if (key === undefined || now >= key.confirmedAt + maxSilenceMs) {
      return this.#inTime(this.#lookUp(digest, this.#lookUpsOfOthers));
    }
    if (now < key.confirmedAt + refreshAfterMs) return principalIfUnexpired(key);
    key.refresh ??= this.#refresh(digest, key);
    if (now >= key.waitFrom) return this.#lastAnswerIfSilent(key, this.#inTime(key.refresh));
    // This call does not wait. A call that does will see an error that the refresh may end in.
    key.refresh.catch(() => undefined);
    return principalIfUnexpired(key);
  }

  /** Asks the database again about a remembered key. If the database is silent, its last answer goes on being used. */
  async #refresh(digest: Buffer, key: VerifiedKey): Promise<Principal | undefined> {
    try {
      return await this.#lastAnswerIfSilent(key, this.#lookUp(digest, this.#lookUpsOfRemembered));
    } finally {
      key.refresh = undefined;
    }
  }

  /** The database's answer about a remembered key; its last one if it is silent, and then no call waits for some time. */
  async #lastAnswerIfSilent(key: VerifiedKey, answer: Promise<Principal | undefined>): Promise<Principal | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!isAnimalStoreError(error)) throw error;
      key.waitFrom = performance.now() + this.#limits.maxAgeMs;
      return principalIfUnexpired(key);
    }
  }

  /** The same answer, but rejects with `store_unavailable` if it takes longer than a call waits. It then still counts. */
  async #inTime(answer: Promise<Principal | undefined>): Promise<Principal | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const tell = (): void =>
        reject(new AnimalStoreError('store_unavailable', 'the API key was not verified in time'));
      timer = setTimeout(tell, this.#limits.patienceMs);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Asks the database about a key, and remembers the answer, however late it is. */
  async #lookUp(digest: Buffer, lookUps: ApiKeyLookUps): Promise<Principal | undefined> {
    const confirmedAt = performance.now();
    const document = await lookUps.lookUp(digest);
    const text = digest.toString('base64');
    this.#keys.delete(text);
    if (document === undefined || !isActive(document)) return undefined;
    const principal = Object.freeze({ name: document.name });
    const expiresAt = document.expiresAt?.getTime() ?? Infinity;
    this.#keys.set(text, { principal, expiresAt, confirmedAt, waitFrom: confirmedAt + this.#limits.maxAgeMs });
    if (this.#keys.size > this.#limits.maxKeys) this.#forgetOldest();
    return principal;
  }

  #forgetOldest(): void {
    const [oldest] = this.#keys.keys();
    if (oldest !== undefined) this.#keys.delete(oldest);
  }
}

function principalIfUnexpired({ principal, expiresAt }: VerifiedKey): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}
