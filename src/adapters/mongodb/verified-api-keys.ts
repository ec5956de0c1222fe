import type { Principal } from '../../domain/api-keys.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import { isInForce } from './api-key-document.js';
import type { ApiKeyLookUps } from './api-key-look-ups.js';

/** How long an answer of the store about a key is used. All in milliseconds but the number of keys. */
export interface VerifiedApiKeysLimits {
  /** From this age on, using an answer makes the store be asked again in the background. */
  readonly refreshAfterMs: number;
  /** From this age on, a call waits for the store to be asked again. */
  readonly maxAgeMs: number;
  /** From this age on, an answer is not used any more, even if the store is silent. */
  readonly maxSilenceMs: number;
  /** How many keys are remembered. */
  readonly maxKeys: number;
}

/** A key that the store has confirmed. Times are those of the monotonic clock, except for the expiry. */
interface Verified {
  readonly principal: Principal;
  readonly expiresAt: number;
  /** When the look-up that confirmed the key began. */
  readonly confirmedAt: number;
  /** From when on a call waits for the store: put off each time that the store is found to be silent. */
  waitFrom: number;
  refresh?: Promise<Principal | undefined> | undefined;
}

/**
 * Remembers the keys that the store has confirmed, and nothing about others. Checks a key's expiry at each use, and asks
 * the store again every few seconds, while the key is in use, whether it is still in force.
 */
export class VerifiedApiKeys {
  readonly #known: ApiKeyLookUps;
  readonly #unknown: ApiKeyLookUps;
  readonly #limits: VerifiedApiKeysLimits;
  /** By digest; the key confirmed last comes last. */
  readonly #keys = new Map<string, Verified>();

  /**
   * @param known Looks up remembered keys, which so do not wait behind a flood of made-up ones.
   * @param unknown Looks up all others.
   */
  constructor(known: ApiKeyLookUps, unknown: ApiKeyLookUps, limits: VerifiedApiKeysLimits) {
    this.#known = known;
    this.#unknown = unknown;
    this.#limits = limits;
  }

  /** The principal of the key with this digest. Rejects if only the store can tell, and it does not answer. */
  async principalOf(digest: Buffer): Promise<Principal | undefined> {
    const { refreshAfterMs, maxSilenceMs } = this.#limits;
    const verified = this.#keys.get(digest.toString('base64'));
    const now = performance.now();
    const age = verified === undefined ? Infinity : now - verified.confirmedAt;
    if (verified === undefined || age >= maxSilenceMs) return this.#lookUp(digest, this.#unknown);
    if (age >= refreshAfterMs) {
      const refresh = (verified.refresh ??= this.#refresh(digest, verified));
      if (now >= verified.waitFrom) return refresh;
      // This call does not wait. A call that does will see an error that the refresh may end in.
      refresh.catch(() => undefined);
    }
    return principalIfUnexpired(verified);
  }

  /** Asks the store again about a remembered key. While the store is silent, its last answer goes on being used. */
  async #refresh(digest: Buffer, verified: Verified): Promise<Principal | undefined> {
    try {
      return await this.#lookUp(digest, this.#known);
    } catch (error) {
      if (!isAnimalStoreError(error)) throw error;
      verified.waitFrom = performance.now() + this.#limits.maxAgeMs;
      return principalIfUnexpired(verified);
    } finally {
      verified.refresh = undefined;
    }
  }

  async #lookUp(digest: Buffer, lookUps: ApiKeyLookUps): Promise<Principal | undefined> {
    const confirmedAt = performance.now();
    const document = await lookUps.lookUp(digest);
    const text = digest.toString('base64');
    this.#keys.delete(text);
    if (document === undefined || !isInForce(document)) return undefined;
    const principal = Object.freeze({ name: document.name });
    const expiresAt = document.expiresAt?.getTime() ?? Infinity;
    this.#keys.set(text, { principal, expiresAt, confirmedAt, waitFrom: confirmedAt + this.#limits.maxAgeMs });
    this.#forgetOldest();
    return principal;
  }

  #forgetOldest(): void {
    for (const oldest of this.#keys.keys()) {
      if (this.#keys.size <= this.#limits.maxKeys) return;
      this.#keys.delete(oldest);
    }
  }
}

function principalIfUnexpired({ principal, expiresAt }: Verified): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}
