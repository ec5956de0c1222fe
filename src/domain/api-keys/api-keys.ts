import type { ApiKeyRecord } from './api-key.js';

/** The owner of a valid key. */
export interface Principal {
  /** The name that the key was issued to: 1 to 256 printable characters. Not unique. Unlike the key, it is safe to log. */
  readonly name: string;
}

/**
 * The driven port that verifies API keys. Its docstrings are the contract, which the suite `verifyApiKeysContract` checks
 * for each adapter.
 */
export interface ApiKeys {
  /**
   * Resolves to the principal that a presented key belongs to, or to `undefined` if no active key equals it, letter for letter.
   * Never rejects because of the key's text. The adapter never keeps or stores a key in clear text. It compares keys by their
   * SHA-256, so that the time of a comparison reveals nothing about a key.
   *
   * Rejects with an `AnimalStoreError` `store_unavailable` if the adapter has to ask the database, and the database does not
   * answer in time.
   */
  verify(key: string): Promise<Principal | undefined>;
}

/** Which records of API keys to list. */
export interface ApiKeyQuery {
  /** The maximum number of records to return: an integer from 1 to 100. */
  readonly limit: number;
  /** Only records with a greater id: the `next` of the previous page. */
  readonly after?: string;
}

/** One page of a list of API keys. */
export interface ApiKeyPage {
  /** The records, by ascending id. */
  readonly keys: readonly ApiKeyRecord[];
  /**
   * The id of the page's last record if at least one more follows; otherwise left out. Given as `after`, it lists what
   * follows (keyset pagination).
   */
  readonly next?: string;
}

/**
 * The driven port that stores the records of API keys. Its docstrings are the contract, which the suite
 * `verifyApiKeyRegistryContract` checks for each adapter.
 *
 * A registry only stores records: the use cases behind `ApiKeyManager` check requests, and issue, rotate and revoke keys. It
 * never sees a key, only its SHA-256. Callers may change the objects that it returns, and the objects that they passed to it.
 *
 * Changes take effect in the `ApiKeys` on the same database: an active key works as soon as its record is added, and a key
 * stops working in every process within 5 seconds after its record says that it is revoked or has expired.
 *
 * Each method rejects with an `AnimalStoreError` `store_unavailable` if the database does not answer in time, and with the
 * original error, untouched, for everything else that goes wrong. If a change rejects with `store_unavailable`, it may be
 * stored. No message repeats an id that a caller passed, because it may be a key passed by mistake.
 */
export interface ApiKeyRegistry {
  /**
   * Adds a record: a new one, or one from elsewhere, such as a file. Its key may be active or not. Resolves to `true` once it
   * is durable. Resolves to `false`, and changes nothing, if there is a record with the same id or the same SHA-256. If
   * concurrent calls have the same id or SHA-256, only one of them resolves to `true`.
   */
  add(record: ApiKeyRecord): Promise<boolean>;

  /**
   * Lists all records, also of expired and revoked keys, by ascending id, compared by UTF-16 code units. This is the
   * order of creation, because an id begins with its time. If there are no records, the page is empty.
   */
  list(query: ApiKeyQuery): Promise<ApiKeyPage>;

  /** Resolves to the record with this id, or to `undefined` if there is none. Accepts any text. */
  find(id: string): Promise<ApiKeyRecord | undefined>;

  /**
   * Replaces a record if its key has not been changed since it was read (compare-and-set). Resolves to `true` once the change
   * is durable. Resolves to `false`, and changes nothing, if the record now has another `expiresAt` or `revokedAt` than
   * `before`, or if no record has its id. Of concurrent calls that change the same `before`, only one resolves to `true`.
   *
   * @param before The record as `find` or `list` returned it.
   * @param after This record, in which `expiresAt` and `revokedAt` may be changed or added. If it equals `before`, nothing
   * changes.
   */
  replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean>;
}
