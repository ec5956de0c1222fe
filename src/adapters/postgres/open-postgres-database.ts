import { isAnimalStoreError } from '../../domain/errors.js';
import { hostsOf } from './hosts.js';
import { PostgresDatabase, repeatIfLost, type ConnectionAttempt } from './postgres-database.js';
import { checkTables, prepareTables } from './tables.js';
import { DEFAULT_DEADLINE_MS } from './timeouts.js';

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
  /** Called when a connection was opened, or none could be had, for metrics and logs. Must not throw. @default none */
  readonly onConnection?: ((attempt: ConnectionAttempt) => void) | undefined;
}

/**
 * Connects to a database for {@link PostgresPetCatalogue}, {@link PostgresApiKeys} and {@link PostgresApiKeyRegistry}. Any number of
 * processes may share it.
 *
 * Rejects with `store_unavailable` if no host is a primary that answers before the deadline. If the database refuses or cannot be
 * used, rejects with an error that has the hosts and the reason.
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
  {
    access = 'prepare',
    deadlineMs = DEFAULT_DEADLINE_MS,
    maxConnections = 10,
    onConnection = () => undefined,
  }: PostgresDatabaseOptions = {},
): Promise<PostgresDatabase> {
  if (!Number.isInteger(deadlineMs) || deadlineMs < 1 || deadlineMs > 2 ** 31 - 1) {
    throw new TypeError('deadlineMs must be an integer from 1 to 2147483647');
  }
  if (!Number.isInteger(maxConnections) || maxConnections < 1) {
    throw new TypeError('maxConnections must be an integer of at least 1');
  }
  const hosts = hostsOf(url);
  const database = new PostgresDatabase(hosts, { deadlineMs, maxConnections, onConnection });
  const prepare = access === 'prepare' ? prepareTables : checkTables;
  try {
    await database.run({}, async (call) => repeatIfLost(call, async () => database.withSession(call, prepare)));
    return database;
  } catch (error) {
    await database.close();
    if (isAnimalStoreError(error)) throw error;
    const names = hosts.map(({ name }) => name).join(',');
    throw new Error(`PostgreSQL at ${names}: ${(error as Error).message}`, { cause: error });
  }
}
