import { hash, timingSafeEqual } from 'node:crypto';
import type { ApiKeys, Principal } from '../../domain/api-keys.js';

/** An API key, and the name of the principal that it belongs to. */
export interface ApiKeyEntry {
  readonly name: string;
  readonly key: string;
}

/** An {@link ApiKeys} over a fixed set of keys, of which it keeps nothing but the SHA-256 digests. */
export class InMemoryApiKeys implements ApiKeys {
  readonly #entries: readonly { readonly digest: Buffer; readonly principal: Principal }[];

  /** @param keys The keys in force. */
  constructor(keys: Iterable<ApiKeyEntry>) {
    this.#entries = Array.from(keys, ({ name, key }) => ({
      digest: sha256(key),
      principal: Object.freeze({ name }),
    }));
  }

  async verify(key: string): Promise<Principal | undefined> {
    const digest = sha256(key);
    let found: Principal | undefined;
    for (const entry of this.#entries) if (timingSafeEqual(entry.digest, digest)) found ??= entry.principal;
    return found;
  }
}

function sha256(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}
