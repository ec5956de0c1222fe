import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { INSERT, recordOf, SELECT, valuesOfEnd, valuesOfRecord } from './api-key-row.js';
import type { SqlValue, Statement } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';

/** An {@link ApiKeyRegistry} in an SQLite file, which stores the SHA-256 of each key. `SqliteApiKeys` verifies these keys. */
export class SqliteApiKeyRegistry implements ApiKeyRegistry {
  readonly #database: SqliteDatabase;
  readonly #insert: Statement;
  readonly #after: Statement;
  readonly #byId: Statement;
  readonly #replace: Statement;

  /** @param database Opened by `openSqliteDatabase`; the caller closes it. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#insert = database.prepare(INSERT);
    this.#after = database.prepare(`${SELECT} WHERE id > ? ORDER BY id LIMIT ?`);
    this.#byId = database.prepare(`${SELECT} WHERE id = ?`);
    this.#replace = database.prepare(
      'UPDATE apiKeys SET expiresAt = ?, revokedAt = ? WHERE id = ? AND expiresAt IS ? AND revokedAt IS ?',
    );
  }

  async add(record: ApiKeyRecord): Promise<boolean> {
    return this.#changesOne(this.#insert, valuesOfRecord(record));
  }

  async list({ limit, after = '' }: ApiKeyQuery): Promise<ApiKeyPage> {
    const rows = await this.#database.read(() => this.#after.all(after, limit + 1));
    const keys = rows.slice(0, limit).map(recordOf);
    const last = keys.at(-1);
    return last !== undefined && rows.length > limit ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    const row = await this.#database.read(() => this.#byId.get(String(id)));
    return row && recordOf(row);
  }

  async replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean> {
    return this.#changesOne(this.#replace, [...valuesOfEnd(after), before.id, ...valuesOfEnd(before)]);
  }

  async #changesOne(statement: Statement, values: readonly SqlValue[]): Promise<boolean> {
    return this.#database.write(() => Number(statement.run(...values).changes) === 1);
  }
}
