import type { ApiKeys, Principal } from '../../domain/api-keys/api-keys.js';
import { RememberedApiKeys } from '../kit/remembered-api-keys.js';
import { READ_COLUMNS, recordOf } from './api-key-row.js';
import type { PostgresDatabase } from './postgres-database.js';

const BY_DIGEST = { name: 'keys.by_digest', text: `SELECT ${READ_COLUMNS} FROM api_keys WHERE digest = $1` };

/**
 * {@link ApiKeys} in the table `api_keys` of a PostgreSQL database, which holds their SHA-256 and no key. A
 * `PostgresApiKeyRegistry` issues them. They are remembered as `RememberedApiKeys` of `animal-store/adapter-kit` says; look-ups of
 * unknown keys use at most half of the connections.
 */
export class PostgresApiKeys implements ApiKeys {
  readonly #keys: RememberedApiKeys;

  /** @param database Opened by `openPostgresDatabase`; the caller closes it. */
  constructor(database: PostgresDatabase) {
    this.#keys = new RememberedApiKeys(
      async (digest) => {
        const [row] = await database.run({}, async (call) => database.read(call, BY_DIGEST, [`\\x${digest}`]));
        return row && recordOf(row);
      },
      { concurrentLookUps: Math.ceil(database.maxConnections / 2) },
    );
  }

  async verify(key: string): Promise<Principal | undefined> {
    return this.#keys.verify(key);
  }
}
