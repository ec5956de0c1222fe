import type { ApiKeyRecord } from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { COLUMNS, READ_COLUMNS, recordOf, valuesOfEnd, valuesOfRecord } from './api-key-row.js';
import type { PostgresDatabase } from './postgres-database.js';
import type { Statement, Value } from './statement.js';

const ADD: Statement = {
  name: 'keys.add',
  text: `INSERT INTO api_keys (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING 1`,
};
const AFTER: Statement = {
  name: 'keys.after',
  text: `SELECT ${READ_COLUMNS} FROM api_keys WHERE id > $1 ORDER BY id LIMIT $2`,
};
const BY_ID: Statement = { name: 'keys.by_id', text: `SELECT ${READ_COLUMNS} FROM api_keys WHERE id = $1` };
const REPLACE: Statement = {
  name: 'keys.replace',
  text: `UPDATE api_keys SET expires_at = $1, revoked_at = $2
    WHERE id = $3 AND expires_at IS NOT DISTINCT FROM $4 AND revoked_at IS NOT DISTINCT FROM $5 RETURNING 1`,
};

/**
 * An {@link ApiKeyRegistry} in the table `api_keys` of a PostgreSQL database, which holds the SHA-256 of each key.
 * `PostgresApiKeys` verifies these keys.
 */
export class PostgresApiKeyRegistry implements ApiKeyRegistry {
  readonly #database: PostgresDatabase;

  /** @param database Opened by `openPostgresDatabase`; the caller closes it. */
  constructor(database: PostgresDatabase) {
    this.#database = database;
  }

  async add(record: ApiKeyRecord): Promise<boolean> {
    return this.#changesOne(ADD, valuesOfRecord(record));
  }

  async list({ limit, after = '' }: ApiKeyQuery): Promise<ApiKeyPage> {
    const rows = await this.#database.run({}, async (call) =>
      this.#database.read(call, AFTER, [String(after), String(limit + 1)]),
    );
    const keys = rows.slice(0, limit).map(recordOf);
    const last = keys.at(-1);
    return last !== undefined && rows.length > limit ? { keys, next: last.id } : { keys };
  }

  async find(id: string): Promise<ApiKeyRecord | undefined> {
    const text = String(id);
    // To PostgreSQL, it is no text.
    if (text.includes('\0')) return undefined;
    const [row] = await this.#database.run({}, async (call) => this.#database.read(call, BY_ID, [text]));
    return row && recordOf(row);
  }

  /** The row's lock lets one of two concurrent changes through, and shows its result to the other. */
  async replace(before: ApiKeyRecord, after: ApiKeyRecord): Promise<boolean> {
    const values = [...valuesOfEnd(after), before.id, ...valuesOfEnd(before)];
    return this.#changesOne(REPLACE, values);
  }

  async #changesOne(statement: Statement, values: readonly Value[]): Promise<boolean> {
    const rows = await this.#database.run({}, async (call) => this.#database.write(call, statement, values));
    return rows.length === 1;
  }
}
