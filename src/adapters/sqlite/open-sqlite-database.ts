import { existsSync, realpathSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, valuesOf } from './node-sqlite.js';
import { MARK, APPLICATION_ID, SCHEMA_VERSION, stepsFrom } from './schema.js';
import { retryWhileBusy, SqliteDatabase } from './sqlite-database.js';
import { CANTOPEN, fileError, READONLY, resultCodeOf, SqliteFileError } from './sqlite-errors.js';

/** Short, because SQLite blocks the event loop while it waits. The adapter waits for the rest of the deadline without blocking. */
const BUSY_TIMEOUT_MS = 20;

export interface SqliteDatabaseOptions {
  /**
   * - `prepare`: opens the file for writing. Creates it, and its tables, if they are missing, and brings the tables of an earlier
   *   version to the present one.
   * - `existing`: opens a file that has the tables for writing, and creates nothing.
   * - `read-only`: opens a file that has the tables, writes nothing, and leaves no file behind. Since Node 22.15, it also works in a
   *   folder that cannot be written, as long as no other process begins to write the file.
   * @default 'prepare'
   */
  readonly access?: 'prepare' | 'existing' | 'read-only' | undefined;
  /**
   * How long a call waits while another process has the database locked, in milliseconds: a positive integer. Then it rejects
   * with `store_unavailable`.
   * @default 5000
   */
  readonly deadlineMs?: number | undefined;
}

/**
 * Opens a database file for {@link SqlitePetCatalogue}, {@link SqliteApiKeys} and {@link SqliteApiKeyRegistry}. Several processes
 * may open the same file.
 *
 * Rejects with a {@link SqliteFileError} if the file is not a database, belongs to another program or to a later version,
 * cannot be opened, is missing or empty but not to be created, or is read-only but to be written; with `store_unavailable` if
 * another process keeps it locked past the deadline. In these cases, the file is unchanged.
 *
 * @param file The path of the file; `:memory:` is refused.
 * @throws TypeError for an empty path, `:memory:`, or a deadline that is not a positive integer.
 * @example
 * const database = await openSqliteDatabase('animal-store.db');
 * const store = createAnimalStore({ catalogue: new SqlitePetCatalogue(database) });
 */
export async function openSqliteDatabase(
  file: string,
  { access = 'prepare', deadlineMs = 5000 }: SqliteDatabaseOptions = {},
): Promise<SqliteDatabase> {
  if (file === '' || file === ':memory:') throw new TypeError('file must be the path of a file, not :memory:');
  if (!Number.isSafeInteger(deadlineMs) || deadlineMs < 1) throw new TypeError('deadlineMs must be a positive integer');
  // SQLite would treat a path such as file:a?mode=memory as a URI.
  const path = resolve(file);
  const stats = statsOf(file, path);
  if (stats === undefined && access !== 'prepare') throw new SqliteFileError(file, 'does not exist');
  if (stats?.isFile() === false) throw new SqliteFileError(file, 'is a folder or a device, not a regular file');
  const open = access === 'read-only' ? openForReading : openForWriting;
  try {
    const connection = await retryWhileBusy(deadlineMs, () => open(file, path, access === 'prepare'));
    return new SqliteDatabase(connection, file, deadlineMs);
  } catch (error) {
    throw fileError(file, error);
  }
}

function statsOf(file: string, path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new SqliteFileError(file, 'cannot be opened', { cause });
  }
}

function openForWriting(file: string, path: string, prepares: boolean): DatabaseSync {
  return connect(path, {}, (connection) => {
    versionOf(connection, file, prepares);
    // Readers do not wait for a writer, and a change is on the disk before its statement returns.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // Takes the write lock, so that two processes never create the tables concurrently.
    connection.exec('BEGIN IMMEDIATE');
    connection.exec(stepsFrom(versionOf(connection, file, prepares)));
    // SQLite opens a read-only file without an error. Only a write to it fails.
    connection.exec(`${MARK}; COMMIT`);
  });
}

function openForReading(file: string, path: string): DatabaseSync {
  const log = `${realpathSync(path)}-wal`;
  const prepare = (connection: DatabaseSync): void => {
    connection.exec('PRAGMA query_only = ON');
    versionOf(connection, file, false);
  };
  try {
    // The option `readOnly` leaves a log behind if there was none. Without it, SQLite moves the log of others into the file.
    return connect(path, { readOnly: existsSync(log) }, prepare);
  } catch (error) {
    const code = resultCodeOf(error);
    if (code !== CANTOPEN && code !== READONLY) throw error;
    // SQLite needs a -shm, even to read, which cannot be created here.
    if (existsSync(log)) {
      const reason = `cannot be read in a folder that cannot be written, because there is also ${log}: copy both into another folder`;
      throw new SqliteFileError(file, reason, { cause: error });
    }
    return connect(`${pathToFileURL(path).href}?immutable=1`, { readOnly: true }, prepare);
  }
}

/** If this fails, closes the connection, which undoes an unfinished transaction. */
function connect(
  path: string,
  options: { readonly readOnly?: boolean },
  prepare: (connection: DatabaseSync) => void,
): DatabaseSync {
  const connection = new DatabaseSync(path, options);
  try {
    // Temporary files would need a folder that can be written.
    connection.exec(
      `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF`,
    );
    prepare(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** 0 for an empty file. */
function versionOf(connection: DatabaseSync, file: string, prepares: boolean): number {
  const query = `SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema), application_id, user_version
    FROM pragma_application_id, pragma_user_version`;
  const [isEmpty, program, version = 0] = valuesOf(connection.prepare(query).get() ?? []).map(Number);
  const refusal = (reason: string): SqliteFileError => new SqliteFileError(file, reason);
  if (isEmpty === 1 && prepares) return 0;
  if (isEmpty === 1) throw refusal('has no tables: it is empty, or a copy that was made without its -wal');
  if (program !== APPLICATION_ID) throw refusal('is the database of another program');
  const tables = `has tables of version ${version}; this version of Animal Store`;
  if (version < 1 || version > SCHEMA_VERSION) throw refusal(`${tables} knows version ${SCHEMA_VERSION} at most`);
  if (version < SCHEMA_VERSION && !prepares) {
    throw refusal(`${tables} needs version ${SCHEMA_VERSION}, to which the commands that prepare a store bring it`);
  }
  return version;
}
