import { randomBytes } from 'node:crypto';
import {
  apiKeyNotFound,
  issueApiKey,
  KEY_RANDOM_BYTES,
  revokeApiKey,
  rotateApiKey,
  type ApiKey,
  type ApiKeyMaterial,
  type ApiKeyRequest,
  type ApiKeyRotation,
  type IssuedApiKey,
} from '../../domain/api-keys/api-key.js';
import type { ApiKeyPage, ApiKeyQuery, ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { apiKeyOf, COLUMNS, columnsOf } from './api-key-row.js';
import { digestOf } from './digest.js';
import type { Statement } from './node-sqlite.js';
import type { SqliteDatabase } from './sqlite-database.js';

/**
 * An {@link ApiKeyRegistry} in an SQLite file, which holds the SHA-256 of each key and no key. `SqliteApiKeys` verifies the keys
 * that it issues.
 */
export class SqliteApiKeyRegistry implements ApiKeyRegistry {
  readonly #database: SqliteDatabase;
  readonly #insert: Statement;
  readonly #byId: Statement;
  readonly #after: Statement;
  readonly #end: Statement;

  /** @param database Opened by `openSqliteDatabase`; the caller closes it. */
  constructor(database: SqliteDatabase) {
    this.#database = database;
    this.#insert = database.prepare(`INSERT INTO apiKeys (${COLUMNS}, digest) VALUES (?, ?, ?, ?, ?, ?, ?)`);
    this.#byId = database.prepare(`SELECT ${COLUMNS} FROM apiKeys WHERE id = ?`);
    this.#after = database.prepare(`SELECT ${COLUMNS} FROM apiKeys WHERE id > ? ORDER BY id LIMIT ?`);
    this.#end = database.prepare('UPDATE apiKeys SET expiresAt = ?, revokedAt = ? WHERE id = ?');
  }

  async create(request: ApiKeyRequest): Promise<IssuedApiKey> {
    const issued = issueApiKey(request, material());
    return this.#database.write(() => this.#add(issued));
  }

  /** Lists by ascending id, which begins with the time of creation. */
  async list({ limit, after = '' }: ApiKeyQuery): Promise<ApiKeyPage> {
    const rows = await this.#database.read(() => this.#after.all(after, limit + 1));
    const keys = rows.slice(0, limit).map(apiKeyOf);
    const last = keys.at(-1);
    return last !== undefined && rows.length > limit ? { keys, next: last.id } : { keys };
  }

  async rotate(id: string, rotation: ApiKeyRotation): Promise<IssuedApiKey> {
    return this.#database.write(() => {
      const old = this.#get(id);
      const { expiresAt, successor } = rotateApiKey(old, rotation, material());
      this.#update({ ...old, expiresAt });
      return this.#add(successor);
    });
  }

  async revoke(id: string): Promise<void> {
    await this.#database.write(() => this.#update(revokeApiKey(this.#get(id), new Date())));
  }

  #add(issued: IssuedApiKey): IssuedApiKey {
    this.#insert.run(...columnsOf(issued), digestOf(issued.key));
    return issued;
  }

  #update({ id, expiresAt, revokedAt }: ApiKey): void {
    this.#end.run(expiresAt?.getTime() ?? null, revokedAt?.getTime() ?? null, id);
  }

  #get(id: string): ApiKey {
    const row = this.#byId.get(String(id));
    if (row === undefined) throw apiKeyNotFound();
    return apiKeyOf(row);
  }
}

function material(): ApiKeyMaterial {
  return { now: new Date(), random: randomBytes(KEY_RANDOM_BYTES) };
}
