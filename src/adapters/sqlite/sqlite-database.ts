import { resolve } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers';
import { FilesInPlace } from './files-in-place.js';
import { DatabaseSync, valuesOf, type Statement } from './node-sqlite.js';
import { APPLICATION_ID, MIGRATIONS } from './schema.js';
import { fileError, isBusy, isNoTransaction, SqliteFileError, storeUnavailable } from './sqlite-errors.js';

/**
 * Captured when this module is loaded, because test runners replace the globals, and the members of `node:timers`, with fakes
 * that never call back by themselves.
 */
const [nextTurn, after] = [setImmediate, setTimeout];

const pause = async (ms: number): Promise<void> => new Promise((resolve) => after(resolve, ms));

/** How long a call waits for another connection to unlock the database, in milliseconds, if nothing else is configured. */
const DEFAULT_DEADLINE_MS = 5000;

/**
 * How long SQLite itself waits for a lock, in milliseconds. This is short, because SQLite blocks the event loop while it waits.
 * The adapter waits for the rest of the deadline without blocking.
 */
const BUSY_TIMEOUT_MS = 20;

/** The longest pause before a call is tried again on a locked database, in milliseconds. */
const PAUSE_MAX_MS = 50;

/** The maximum number of writes in a transaction, so that no transaction blocks the event loop for long. */
const BATCH_MAX = 256;

/** How long reads rely on the last check of the files, in milliseconds. */
const LOOK_MS = 1000;

/** Marks the file as a database of Animal Store. If it is marked already, this writes one page without changing it. */
const MARK = `PRAGMA application_id = ${APPLICATION_ID}`;

/** The options of {@link openSqliteDatabase}. */
export interface SqliteDatabaseOptions {
  /**
   * How long a call waits while another process has the database locked, in milliseconds: a positive integer. Then it rejects
   * with `store_unavailable`.
   * @default 5000
   */
  readonly deadlineMs?: number | undefined;
}

/** A write that waits for its transaction. */
interface Write {
  /** Runs the statements. */
  readonly operate: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** When it stops waiting for a lock, by the clock of `performance`. */
  readonly end: number;
}

/**
 * Opens a database file for {@link SqlitePetCatalogue}, {@link SqliteApiKeys} and {@link SqliteApiKeyRegistry}. Creates the
 * file if it is missing, and migrates its tables to the current version. Several processes may open the same file.
 *
 * Rejects with a {@link SqliteFileError} if the file is not a database, belongs to another program or to a newer version, is
 * read-only, or cannot be opened, and with `store_unavailable` if another process keeps it locked past the deadline. In these
 * cases, the file is unchanged.
 *
 * @param file The path of the file; `:memory:` is refused.
 * @throws TypeError for an empty path, `:memory:`, or a deadline that is not a positive integer.
 * @example
 * const database = await openSqliteDatabase('animal-store.db');
 * const store = createAnimalStore({ catalogue: new SqlitePetCatalogue(database) });
 */
export async function openSqliteDatabase(
  file: string,
  { deadlineMs = DEFAULT_DEADLINE_MS }: SqliteDatabaseOptions = {},
): Promise<SqliteDatabase> {
  if (file === '' || file === ':memory:') throw new TypeError('file must be the path of a file, not :memory:');
  if (!Number.isSafeInteger(deadlineMs) || deadlineMs < 1) throw new TypeError('deadlineMs must be a positive integer');
  // SQLite would treat a path such as file:a?mode=memory as a URI.
  const path = resolve(file);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path);
    const opened = connection;
    await retryWhileBusy(file, deadlineMs, () => prepareFile(opened, file));
    return new SqliteDatabase(connection, file, deadlineMs);
  } catch (error) {
    connection?.close();
    throw fileError(file, error);
  }
}

/** Sets the options of a connection, and migrates the file in one transaction. */
function prepareFile(connection: DatabaseSync, file: string): void {
  connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  refuseForeign(connection, file);
  // Readers do not wait for a writer, and a change is on the disk before its statement returns.
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF');
  // Takes the write lock, so that two processes never migrate concurrently.
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = refuseForeign(connection, file);
    for (const migration of MIGRATIONS.slice(version)) connection.exec(migration);
    if (version < MIGRATIONS.length) connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    // SQLite opens a read-only file without an error. Only a write to it fails.
    connection.exec(`${MARK}; COMMIT`);
  } catch (error) {
    undo(connection);
    throw error;
  }
}

/**
 * The version of the tables of a file; 0 for a new one.
 *
 * @throws SqliteFileError for the file of another program or of a newer version.
 */
function refuseForeign(connection: DatabaseSync, file: string): number {
  const version = pragma(connection, 'user_version');
  const isNew = connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (!isNew && pragma(connection, 'application_id') !== APPLICATION_ID) {
    throw new SqliteFileError(file, 'is the database of another program');
  }
  if (version > MIGRATIONS.length) {
    throw new SqliteFileError(
      file,
      `was written by a newer version of Animal Store: it has schema ${version}, and this version knows ${MIGRATIONS.length}`,
    );
  }
  return isNew ? 0 : version;
}

/** The number that a pragma of SQLite gives. */
function pragma(connection: DatabaseSync, name: string): number {
  return Number(valuesOf(connection.prepare(`PRAGMA ${name}`).get() ?? [])[0]);
}

/** Retries an operation while another connection has the database locked, with growing pauses, until the deadline. */
async function retryWhileBusy<T>(file: string, deadlineMs: number, operate: () => T): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (let pauseMs = 1; ; pauseMs = nextPause(pauseMs)) {
    try {
      return operate();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() + pauseMs >= end) throw storeUnavailable(file, error);
    }
    await pause(pauseMs);
  }
}

function nextPause(pauseMs: number): number {
  return Math.min(PAUSE_MAX_MS, pauseMs * (1.5 + Math.random()));
}

/** Undoes writes after an error. Returns `false` if SQLite has ended the whole transaction already, as it does on a full disk. */
function undo(connection: DatabaseSync, statements = 'ROLLBACK'): boolean {
  try {
    connection.exec(statements);
    return true;
  } catch (error) {
    if (!isNoTransaction(error)) throw error;
    return false;
  }
}

/**
 * An open database file. SQLite is synchronous: while it reads, or writes to the disk, the thread runs nothing else.
 *
 * Writes that arrive in the same turn of the event loop share a transaction, because most of the time of a write is spent
 * waiting for the disk. Each write resolves when its transaction is on the disk, in the files that a restart will find.
 *
 * Calls reject with a {@link SqliteFileError} if SQLite reports an error, or if a file of the database was moved, removed,
 * replaced or truncated while it was open. After such a change, writes reject immediately, and reads within a second.
 */
export class SqliteDatabase {
  readonly #connection: DatabaseSync;
  readonly #file: string;
  readonly #deadlineMs: number;
  readonly #files: FilesInPlace;
  /** Oldest first. */
  #waiting: Write[] = [];
  #isScheduled = false;
  #isClosed = false;
  /** Whether the last transaction failed for a reason other than a lock. */
  #hasWriteFailed = false;
  /** When the files were last checked, by the clock of `performance`. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Use {@link openSqliteDatabase}. */
  constructor(connection: DatabaseSync, file: string, deadlineMs: number) {
    this.#connection = connection;
    this.#file = file;
    this.#deadlineMs = deadlineMs;
    this.#files = new FilesInPlace(resolve(file));
  }

  /**
   * Prepares a statement, which reads integers as `bigint`. `valuesOf` reads its rows. Since Node 26, `run` of any other statement
   * throws if the last id of the connection is beyond 2^53, even after a COMMIT.
   */
  prepare(sql: string): Statement {
    const statement = this.#connection.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays?.(true);
    return statement;
  }

  /** Runs statements that only read. Rejects with `store_unavailable` if the database is locked until the deadline. */
  async read<T>(operate: () => T): Promise<T> {
    try {
      if (performance.now() - this.#lookedAt >= LOOK_MS) this.#look();
      return await retryWhileBusy(this.#file, this.#deadlineMs, operate);
    } catch (error) {
      throw fileError(this.#file, error);
    }
  }

  /**
   * Runs statements in a transaction: all of them take effect, or none if `operate` throws. Resolves to the result of `operate`
   * once the transaction is on the disk. `operate` may run more than once.
   *
   * Rejects with what `operate` throws, and with `store_unavailable` if the database is locked until the deadline.
   */
  write<T>(operate: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        operate,
        resolve: resolve as (result: unknown) => void,
        reject,
        end: performance.now() + this.#deadlineMs,
      });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      nextTurn(() => this.#writeWaiting(1));
    });
  }

  /**
   * Checks that the file can be read, and, if the last write failed, that it can be written. May write one page.
   *
   * @throws SqliteFileError if it cannot.
   * @throws AnimalStoreError `store_unavailable` if another process has it locked at the moment.
   */
  check(): void {
    if (this.#isClosed) throw new SqliteFileError(this.#file, 'is closed');
    try {
      this.#look();
      this.#connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
      if (this.#hasWriteFailed) this.#connection.exec(MARK);
      this.#hasWriteFailed = false;
    } catch (error) {
      throw isBusy(error) ? storeUnavailable(this.#file, error) : fileError(this.#file, error);
    }
  }

  /** Writes all pending changes, and closes the file. Further calls do nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    while (this.#waiting.length > 0) await pause(1);
    this.#connection.close();
  }

  /**
   * Writes a batch, then the next one in a later turn of the event loop.
   *
   * @param pauseMs How long to wait if the database is locked, in milliseconds.
   */
  #writeWaiting(pauseMs: number): void {
    const isLocked = !this.#tryBegin();
    if (!isLocked) this.#writeBatch(this.#waiting.splice(0, BATCH_MAX));
    this.#isScheduled = this.#waiting.length > 0;
    if (!this.#isScheduled) return;
    if (isLocked) after(() => this.#writeWaiting(nextPause(pauseMs)), pauseMs);
    else nextTurn(() => this.#writeWaiting(1));
  }

  /** @throws SqliteFileError if the files of the database are no longer in place. */
  #look(): void {
    const size = (): number => pragma(this.#connection, 'page_count') * pragma(this.#connection, 'page_size');
    const fault = this.#files.fault(size);
    if (fault !== undefined) throw new SqliteFileError(this.#file, fault);
    this.#lookedAt = performance.now();
  }

  /** Begins a transaction. If the database is locked, rejects the writes whose deadline has passed, and returns `false`. */
  #tryBegin(): boolean {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      const now = performance.now();
      const isUp = ({ end }: Write): boolean => !isBusy(error) || end <= now;
      const rejected = this.#waiting.filter(isUp);
      this.#waiting = this.#waiting.filter((write) => !isUp(write));
      this.#hasWriteFailed ||= !isBusy(error);
      const reason = isBusy(error) ? storeUnavailable(this.#file, error) : fileError(this.#file, error);
      for (const { reject } of rejected) reject(reason);
      return false;
    }
  }

  #writeBatch(batch: readonly Write[]): void {
    try {
      const settle = batch.map((write) => this.#run(write, batch.length === 1));
      this.#connection.exec('COMMIT');
      this.#look();
      this.#hasWriteFailed = false;
      for (const each of settle) each();
    } catch (error) {
      undo(this.#connection);
      this.#hasWriteFailed = true;
      for (const { reject } of batch) reject(fileError(this.#file, error));
    }
  }

  /**
   * Runs one write: in a savepoint, for which SQLite copies each page that it changes, unless the write is alone in its
   * transaction. Returns a function that settles its promise. Throws if SQLite has ended the transaction.
   */
  #run({ operate, resolve, reject }: Write, isAlone: boolean): () => void {
    if (!isAlone) this.#connection.exec('SAVEPOINT write');
    try {
      const result = operate();
      if (!isAlone) this.#connection.exec('RELEASE write');
      return () => resolve(result);
    } catch (error) {
      const isUndone = undo(this.#connection, isAlone ? 'ROLLBACK; BEGIN' : 'ROLLBACK TO write; RELEASE write');
      if (!isUndone) throw error;
      return () => reject(fileError(this.#file, error));
    }
  }
}
