import type { ApiKey, ApiKeyRequest, ApiKeyRotation, IssuedApiKey } from './api-key.js';

/** The owner of a valid key. */
export interface Principal {
  /** The name that the key was issued to; not unique. Fit for a log, unlike the key. */
  readonly name: string;
}

/**
 * The driven port that verifies API keys. Its docstrings are the contract, which the suite `verifyApiKeysContract` checks
 * for each adapter.
 */
export interface ApiKeys {
  /**
   * Resolves to the principal that a presented key belongs to, or to `undefined` if no active key equals it, letter for
   * letter. Never rejects because of the key's text. The adapter keeps and stores no key in clear. It compares keys by their
   * SHA-256, so that the time that this takes reveals nothing about a key.
   *
   * Rejects with an `AnimalStoreError` `store_unavailable` if only the database can tell and it does not answer in time.
   */
  verify(key: string): Promise<Principal | undefined>;
}

/** Which API keys to list. */
export interface ApiKeyQuery {
  /** The greatest number of keys to return: an integer from 1 to 100. */
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after?: string;
}

/** One page of a list of API keys. */
export interface ApiKeyPage {
  /** The keys, the oldest first. */
  readonly keys: readonly ApiKey[];
  /**
   * The id of the page's last key if at least one more key follows; otherwise left out. Given as `after`, it lists what
   * follows (keyset pagination).
   */
  readonly next?: string;
}

/**
 * The driven port that issues API keys and ends them. Its docstrings are the contract, which the suite
 * `verifyApiKeyRegistryContract` checks for each adapter.
 *
 * The registry keeps the SHA-256 of a key and what is known about it, never the key. The functions of the domain decide: an
 * adapter calls `issueApiKey`, `rotateApiKey` and `revokeApiKey` with the time and random bytes, and stores what they
 * return. Every object that a registry returns is the caller's own.
 *
 * A change applies to the `ApiKeys` on the same database: a new key works as soon as its promise has resolved, and a key that
 * was revoked or has expired stops working within 5 seconds, in every process.
 *
 * Each method rejects with an `AnimalStoreError` `store_unavailable` if the database does not answer in time, and with the
 * original error, untouched, for everything else that goes wrong. No message repeats an id that a caller gave: it may be a
 * key that was mistaken for one.
 */
export interface ApiKeyRegistry {
  /**
   * Issues a key, and resolves to it once it is durable. This is the only time that the key is shown. If this rejects with
   * `store_unavailable`, the key may be stored, but nobody has it.
   *
   * Rejects with `invalid_key_request` if the name or the lifetime breaks its rule.
   */
  create(request: ApiKeyRequest): Promise<IssuedApiKey>;

  /**
   * Lists all keys that were ever issued, expired and revoked ones included, by `createdAt`, the oldest first. Keys of the
   * same millisecond come in an order that never changes. Without any key, the page is empty.
   */
  list(query: ApiKeyQuery): Promise<ApiKeyPage>;

  /**
   * Issues a key in place of another: for the same name, and for as long as the old key was issued for. The old key goes
   * on working for the overlap, but never beyond its own expiry. If this rejects with `store_unavailable`, the old key's
   * expiry may be set already: call it again while the old key is active.
   *
   * Rejects with `invalid_key_request` if the overlap breaks its rule, with `api_key_not_found` if no key has this id, and
   * with `api_key_not_in_force` if the key was revoked or has expired; then nothing has changed.
   */
  rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey>;

  /**
   * Revokes a key for good, whether or not it has expired. A key that was revoked before stays as it is, and its
   * successors go on working.
   *
   * Rejects with `api_key_not_found` if no key has this id.
   */
  revoke(id: string): Promise<void>;
}
