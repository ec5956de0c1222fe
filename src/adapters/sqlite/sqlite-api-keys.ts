import { hash, timingSafeEqual } from 'node:crypto';
import { stateOfApiKey } from '../../domain/api-keys/api-key.js';
import type { ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { apiKeyOf, COLUMNS } from './api-key-row.js';
import { valuesOf, type Statement } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';

/**
 * {@link ApiKeys} in an SQLite file, which stores the SHA-256 of each key instead of the key. Each look-up reads the file, so a
 * revoked key stops working immediately, in every process.
 */
export class SqliteApiKeys implements ApiKeys {
  readonly #database: SqliteDatabase;
  readonly #byDigest: Statement;

  /** @param database Opened by `openSqliteDatabase`; the caller closes it. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#byDigest = database.prepare(`SELECT ${COLUMNS} FROM apiKeys WHERE digest = ?`);
  }

  async verify(key: string): Promise<Principal | undefined> {
    const digest = hash('sha256', key, 'buffer');
    const row = await this.#database.read(() => this.#byDigest.get(digest));
    if (row === undefined || !timingSafeEqual(valuesOf(row).at(-1) as Uint8Array, digest)) return undefined;
    const apiKey = apiKeyOf(row);
    return stateOfApiKey(apiKey, new Date()) === 'active' ? { name: apiKey.name } : undefined;
  }
}
