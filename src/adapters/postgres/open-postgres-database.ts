import { hostsOf } from './hosts.js';
import { PostgresDatabase, repeatIfLost, type PostgresObserver } from './postgres-database.js';
import { checkTables, prepareTables } from './tables.js';

/** How long one operation may take, in milliseconds, if nothing else is configured. */
export const DEFAULT_DEADLINE_MS = 5000;

/** The options of {@link openPostgresDatabase}. */
export interface PostgresDatabaseOptions {
  /**
   * - `prepare`: creates the tables if they are missing.
   * - `existing`, `read-only`: a database without the tables is an error.
   * @default 'prepare'
   */
  readonly access?: 'prepare' | 'existing' | 'read-only' | undefined;
  /**
   * After how many milliseconds without an answer an operation rejects with `store_unavailable`: an integer from 1 to 2147483647.
   * @default 5000
   */
  readonly deadlineMs?: number | undefined;
  /** The maximum number of connections, an integer from 1. @default 10 */
  readonly maxConnections?: number | undefined;
  /** Called when an operation has ended. @default none */
  readonly observe?: PostgresObserver | undefined;
}

/**
 * Connects to a database for {@link PostgresPetCatalogue}, {@link PostgresApiKeys} and {@link PostgresApiKeyRegistry}. Any number of
 * processes may share it.
 *
 * Rejects with `store_unavailable` if no host is a primary that answers before the deadline; with an error that says what is wrong if
 * the database cannot be used; and with the server's error if it refuses.
 *
 * @param url `postgres://user:password@host:port/database?options`. It may name several hosts, separated by commas: the primary
 * among them is used, also after a failover.
 * @throws TypeError for a malformed URL or option. Its message repeats neither the user nor the password.
 * @example
 * const database = await openPostgresDatabase('postgres://app:secret@db1,db2/animals');
 * const store = createAnimalStore({ catalogue: new PostgresPetCatalogue(database) });
 */
export async function openPostgresDatabase(
  url: string,
  { access = 'prepare', deadlineMs = DEFAULT_DEADLINE_MS, maxConnections = 10, observe }: PostgresDatabaseOptions = {},
): Promise<PostgresDatabase> {
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > 2 ** 31 - 1) {
    throw new TypeError('deadlineMs must be an integer from 1 to 2147483647');
  }
  if (!Number.isInteger(maxConnections) || maxConnections < 1) {
    throw new TypeError('maxConnections must be an integer of at least 1');
  }
  const database = new PostgresDatabase(hostsOf(url), { deadlineMs, maxConnections, observe });
  const prepare = access === 'prepare' ? prepareTables : checkTables;
  try {
    await database.run('tables.prepare', {}, async (call) =>
      repeatIfLost(call, async () => database.withSession(call, prepare)),
    );
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
