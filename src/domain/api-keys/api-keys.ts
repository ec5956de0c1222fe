import type { ApiKeyRecord } from './api-key.js';

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

/** Which records of API keys to list. */
export interface ApiKeyQuery {
  /** The greatest number of records to return: an integer from 1 to 100. */
  readonly limit: number;
  /** Only records with a greater id: the `next` of the page before. */
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
 * The driven port that keeps API keys on record. Its docstrings are the contract, which the suite
 * `verifyApiKeyRegistryContract` checks for each adapter.
 *
 * A registry decides nothing: the use cases behind `ApiKeyManager` check requests, make keys, and end them. It never sees a
 * key, only its SHA-256. Every object that it returns is the caller's own, and it keeps no object that it was given.
 *
 * Records apply to the `ApiKeys` on the same database: a key works as soon as its record is added, if it is active, and a key
 * that is revoked or has expired by its record stops working within 5 seconds, in every process.
 *
 * Each method rejects with an `AnimalStoreError` `store_unavailable` if the database does not answer in time, and with the
 * original error, untouched, for everything else that goes wrong. If a change rejects with `store_unavailable`, it may be
 * stored. No message repeats an id that a caller gave: it may be a key that was mistaken for one.
 */
export interface ApiKeyRegistry {
  /**
   * Adds a record, whether it was just made or comes from elsewhere, as from a file, and whether or not its key is active.
   * Resolves to `true` once it is durable. Resolves to `false`, and changes nothing, if there is a record with the same id or
   * the same SHA-256. Of concurrent calls with the same one, only one resolves to `true`.
   */
  add(record: ApiKeyRecord): Promise<boolean>;

  /**
   * Lists all records, those of expired and revoked keys included, by ascending id, compared by UTF-16 code units: in the
   * order of creation, as an id begins with its time. Without any record, the page is empty.
   */
  list(query: ApiKeyQuery): Promise<ApiKeyPage>;

  /** Resolves to the record with this id, or to `undefined` if there is none. Any text may be given. */
  find(id: string): Promise<ApiKeyRecord | undefined>;

  /**
   * Replaces a record if it is still as it was: compare-and-set. Resolves to `true` once the change is durable. Resolves to
   * `false`, and changes nothing, if the record now has another `expiresAt` or `revokedAt` than `before`, or if no record has
   * its id. Of concurrent calls that change the same `before`, only one resolves to `true`.
   *
   * @param before The record as `find` or `list` returned it.
   * @param after The same record, in which `expiresAt` and `revokedAt` may differ or be added. An equal one changes nothing.
   */
  replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean>;
}
