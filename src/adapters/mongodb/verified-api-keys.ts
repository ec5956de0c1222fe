import type { Principal } from '../../domain/api-keys.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import { isInForce } from './api-key-document.js';
import type { ApiKeyLookUps } from './api-key-look-ups.js';

/** How long an answer of the store about a key holds. All in milliseconds. */
export interface VerifiedApiKeysLimits {
  /** From this age on, an answer is fetched anew in the background. */
  readonly refreshAfterMs: number;
  /** From this age on, the store must have answered again, unless it is silent. */
  readonly maxAgeMs: number;
  /** From this age on, not even a silent store helps. */
  readonly maxSilenceMs: number;
  /** For how long a look-up without an answer shows that the store is silent. */
  readonly silenceMs: number;
  /** How many keys are remembered. */
  readonly maxKeys: number;
}

interface Verified {
  readonly principal: Principal;
  readonly expiresAt: number;
  /** When the look-up began that confirmed the key, by the monotonic clock. */
  readonly confirmedAt: number;
  refresh?: Promise<Principal | undefined> | undefined;
}

/**
 * Remembers which keys the store has confirmed, and nothing of those that it has not. Their expiry is checked at each
 * use; that they still stand, by a look-up every few seconds while they are in use.
 */
export class VerifiedApiKeys {
  readonly #known: ApiKeyLookUps;
  readonly #unknown: ApiKeyLookUps;
  readonly #limits: VerifiedApiKeysLimits;
  /** By digest, the one that was confirmed last at the end. */
  readonly #keys = new Map<string, Verified>();
  #silentUntil = 0;

  /**
   * @param known Looks up the keys that are remembered: they do not wait behind a flood of made-up ones.
   * @param unknown Looks up all others.
   */
  constructor(known: ApiKeyLookUps, unknown: ApiKeyLookUps, limits: VerifiedApiKeysLimits) {
    this.#known = known;
    this.#unknown = unknown;
    this.#limits = limits;
  }

  /** The principal of the key with this digest; rejects where only the store could tell, and it does not answer. */
  async principalOf(digest: Buffer): Promise<Principal | undefined> {
    const { refreshAfterMs, maxAgeMs, maxSilenceMs } = this.#limits;
    const now = performance.now();
    const verified = this.#keys.get(digest.toString('base64'));
    const age = now - (verified?.confirmedAt ?? -Infinity);
    if (verified === undefined || age >= maxSilenceMs) return this.#lookUp(digest, this.#unknown);
    if (age < refreshAfterMs) return principalIfUnexpired(verified);
    const refresh = (verified.refresh ??= this.#lookUp(digest, this.#known).finally(
      () => (verified.refresh = undefined),
    ));
    const answer = refresh.catch((error: unknown) => {
      if (isAnimalStoreError(error)) return principalIfUnexpired(verified);
      throw error;
    });
    if (age >= maxAgeMs && now >= this.#silentUntil) return answer;
    void answer.catch(() => undefined);
    return principalIfUnexpired(verified);
  }

  async #lookUp(digest: Buffer, lookUps: ApiKeyLookUps): Promise<Principal | undefined> {
    const confirmedAt = performance.now();
    const text = digest.toString('base64');
    try {
      const document = await lookUps.lookUp(digest);
      this.#silentUntil = 0;
      this.#keys.delete(text);
      if (document === undefined || !isInForce(document)) return undefined;
      const principal = Object.freeze({ name: document.name });
      this.#keys.set(text, { principal, expiresAt: document.expiresAt?.getTime() ?? Infinity, confirmedAt });
      for (const oldest of this.#keys.keys()) {
        if (this.#keys.size <= this.#limits.maxKeys) break;
        this.#keys.delete(oldest);
      }
      return principal;
    } catch (error) {
      if (isAnimalStoreError(error) && lookUps === this.#known)
        this.#silentUntil = performance.now() + this.#limits.silenceMs;
      throw error;
    }
  }
}

function principalIfUnexpired({ principal, expiresAt }: Verified): Principal | undefined {
  return expiresAt > Date.now() ? principal : undefined;
}
