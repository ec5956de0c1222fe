import { hash, randomBytes } from 'node:crypto';
import { apiKeyNotFound, issueApiKey, KEY_RANDOM_BYTES, revokeApiKey, rotateApiKey, stateOfApiKey } from 'animal-store';
import { attempt } from './sqlite-database.js';

/** @import { ApiKey, ApiKeyPage, ApiKeyQuery, ApiKeyRegistry, ApiKeyRequest, ApiKeyRotation, ApiKeys } from 'animal-store' */
/** @import { IssuedApiKey, Principal } from 'animal-store' */
/** @import { Database, Statement } from 'better-sqlite3' */
/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} name
 * @property {number} createdAt
 * @property {number | null} lifetimeMs
 * @property {number | null} expiresAt
 * @property {number | null} revokedAt
 */

/**
 * {@link ApiKeys} and their {@link ApiKeyRegistry} in an SQLite database, which holds the SHA-256 of each key and no key.
 * The functions of the domain decide; this class stores what they return.
 *
 * @implements {ApiKeys}
 * @implements {ApiKeyRegistry}
 */
export class SqliteApiKeys {
  #db;
  /** @type {Statement<[Row & { digest: Buffer }]>} */
  #insert;
  /** @type {Statement<[Buffer], Row>} */
  #byDigest;
  /** @type {Statement<[string], Row>} */
  #byId;
  /** @type {Statement<[string, number], Row>} */
  #after;
  /** @type {Statement<[Row]>} */
  #update;

  /** @param {Database} db Opened by `openDatabase`; the caller closes it. */
  constructor(db) {
    this.#db = db;
    this.#insert = db.prepare(
      `INSERT INTO apiKeys (id, digest, name, createdAt, lifetimeMs, expiresAt, revokedAt)
       VALUES (@id, @digest, @name, @createdAt, @lifetimeMs, @expiresAt, @revokedAt)`,
    );
    this.#byDigest = numbers(db.prepare('SELECT * FROM apiKeys WHERE digest = ?'));
    this.#byId = numbers(db.prepare('SELECT * FROM apiKeys WHERE id = ?'));
    this.#after = numbers(db.prepare('SELECT * FROM apiKeys WHERE id > ? ORDER BY id LIMIT ?'));
    this.#update = db.prepare('UPDATE apiKeys SET expiresAt = @expiresAt, revokedAt = @revokedAt WHERE id = @id');
  }

  /**
   * @param {string} key
   * @returns {Promise<Principal | undefined>}
   */
  async verify(key) {
    const row = attempt(() => this.#byDigest.get(sha256(key)));
    if (row === undefined || stateOfApiKey(apiKeyOf(row), new Date()) !== 'active') return undefined;
    return { name: row.name };
  }

  /**
   * @param {ApiKeyRequest} request
   * @returns {Promise<IssuedApiKey>}
   */
  async create(request) {
    const issued = issueApiKey(request, material());
    attempt(() => this.#add(issued));
    return issued;
  }

  /**
   * @param {ApiKeyQuery} query
   * @returns {Promise<ApiKeyPage>}
   */
  async list({ limit, after = '' }) {
    const rows = attempt(() => this.#after.all(after, limit + 1));
    const keys = rows.slice(0, limit).map(apiKeyOf);
    return rows.length > limit ? { keys, next: keys.at(-1)?.id } : { keys };
  }

  /**
   * @param {string} id
   * @param {ApiKeyRotation} rotation
   * @returns {Promise<IssuedApiKey>}
   */
  async rotate(id, rotation) {
    return this.#transaction(() => {
      const old = this.#get(id);
      const { expiresAt, successor } = rotateApiKey(old, rotation, material());
      this.#update.run(rowOf({ ...old, expiresAt }));
      this.#add(successor);
      return successor;
    });
  }

  /** @param {string} id */
  async revoke(id) {
    this.#transaction(() => this.#update.run(rowOf(revokeApiKey(this.#get(id), new Date()))));
  }

  /** @param {IssuedApiKey} issued */
  #add({ key, ...apiKey }) {
    this.#insert.run({ ...rowOf(apiKey), digest: sha256(key) });
  }

  /**
   * @param {string} id
   * @returns {ApiKey}
   */
  #get(id) {
    const row = this.#byId.get(id);
    if (row === undefined) throw apiKeyNotFound();
    return apiKeyOf(row);
  }

  /**
   * Locks the database against other writers before it reads, so that nothing changes in between.
   *
   * @template T
   * @param {() => T} operation
   * @returns {T}
   */
  #transaction(operation) {
    return attempt(() => this.#db.transaction(operation).immediate());
  }
}

/**
 * Reads integers as numbers. Those of API keys are safe.
 *
 * @template {Statement} T
 * @param {T} statement
 * @returns {T}
 */
function numbers(statement) {
  statement.safeIntegers(false);
  return statement;
}

function material() {
  return { now: new Date(), random: randomBytes(KEY_RANDOM_BYTES) };
}

/** @param {string} key */
function sha256(key) {
  return hash('sha256', key, 'buffer');
}

/**
 * @param {ApiKey} apiKey
 * @returns {Row}
 */
function rowOf({ id, name, createdAt, lifetimeMs, expiresAt, revokedAt }) {
  return {
    id,
    name,
    createdAt: createdAt.getTime(),
    lifetimeMs: lifetimeMs ?? null,
    expiresAt: expiresAt?.getTime() ?? null,
    revokedAt: revokedAt?.getTime() ?? null,
  };
}

/**
 * @param {Row} row
 * @returns {ApiKey}
 */
function apiKeyOf({ id, name, createdAt, lifetimeMs, expiresAt, revokedAt }) {
  return {
    id,
    name,
    createdAt: new Date(createdAt),
    ...(lifetimeMs !== null && { lifetimeMs }),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt) }),
    ...(revokedAt !== null && { revokedAt: new Date(revokedAt) }),
  };
}
