import { existsSync, realpathSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync, valuesOf } from './node-sqlite.js';
import { MARK, APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.js';
import { retryWhileBusy, SqliteDatabase } from './sqlite-database.js';
import { CANTOPEN, fileError, READONLY, resultCodeOf, SqliteFileError } from './sqlite-errors.js';

/**
 * How long SQLite itself waits for a lock, in milliseconds. This is short, because SQLite blocks the event loop while it waits.
 * The adapter waits for the rest of the deadline without blocking.
 */
const BUSY_TIMEOUT_MS = 20;

/** The options of {@link openSqliteDatabase}. */
export interface SqliteDatabaseOptions {
  /**
   * - `prepare`: opens the file for writing. Creates it, and its tables, if they are missing.
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
 * Rejects with a {@link SqliteFileError} if the file is not a database, belongs to another program or to another version,
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

/** @returns `undefined` if there is no file. */
function statsOf(file: string, path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw new SqliteFileError(file, 'cannot be opened', { cause });
  }
}

/** Creates the tables in one transaction if they are missing and `create` is set. */
function openForWriting(file: string, path: string, create: boolean): DatabaseSync {
  return connect(path, {}, (connection) => {
    needTables(connection, file, create);
    // Readers do not wait for a writer, and a change is on the disk before its statement returns.
    connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    // Takes the write lock, so that two processes never create the tables concurrently.
    connection.exec('BEGIN IMMEDIATE');
    if (!needTables(connection, file, create)) connection.exec(SCHEMA);
    // SQLite opens a read-only file without an error. Only a write to it fails.
    connection.exec(`${MARK}; COMMIT`);
  });
}

/** Opens a connection that changes nothing. */
function openForReading(file: string, path: string): DatabaseSync {
  const log = `${realpathSync(path)}-wal`;
  const prepare = (connection: DatabaseSync): void => {
    connection.exec('PRAGMA query_only = ON');
    needTables(connection, file, false);
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

/** Opens a connection and prepares it. Closes it again, which undoes an unfinished transaction, if this fails. */
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

/**
 * Whether a file has the tables.
 *
 * @throws SqliteFileError for the file of another program or version, and for one without tables unless `mayBeEmpty`.
 */
function needTables(connection: DatabaseSync, file: string, mayBeEmpty: boolean): boolean {
  const query = `SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema), application_id, user_version
    FROM pragma_application_id, pragma_user_version`;
  const [isEmpty, program, version] = valuesOf(connection.prepare(query).get() ?? []);
  if (isEmpty === 1 && mayBeEmpty) return false;
  if (isEmpty === 1) {
    throw new SqliteFileError(file, 'has no tables: it is empty, or a copy that was made without its -wal');
  }
  if (program !== APPLICATION_ID) throw new SqliteFileError(file, 'is the database of another program');
  if (version === SCHEMA_VERSION) return true;
  throw new SqliteFileError(
    file,
    `was written by another version of Animal Store: its tables have version ${String(version)}, not ${SCHEMA_VERSION}`,
  );
}
