import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers';
import type { CallOptions } from '../../domain/call-options.js';
import { GroupCommit, type GroupCommitEntry } from '../kit/group-commit.js';
import type { DatabaseSync, Statement } from './node-sqlite.js';
import { MARK } from './schema.js';
import { ERROR, fileError, isBusy, resultCodeOf, SqliteFileError } from './sqlite-errors.js';

/** Captured when this module is loaded, because test runners replace the globals, and the members of `node:timers`, with fakes. */
const after = setTimeout;

async function pause(ms: number): Promise<void> {
  return new Promise((resolve) => after(resolve, ms));
}

const PAUSE_MAX_MS = 50;

/** So that no transaction blocks the event loop for long. */
const BATCH_MAX = 256;

/** How long writes rely on the last comparison of the file with the one at its path, in milliseconds. */
const LOOK_MS = 1000;

/** Runs statements, until `end` if the file is locked, by the clock of `performance`. */
type Write = GroupCommitEntry<{ readonly operate: () => unknown; readonly end: number }, unknown>;

export async function retryWhileBusy<T>(deadlineMs: number, operate: () => T): Promise<T> {
  const end = performance.now() + deadlineMs;
  for (let pauseMs = nextPause(0); ; pauseMs = nextPause(pauseMs)) {
    try {
      return operate();
    } catch (error) {
      if (!isBusy(error) || performance.now() + pauseMs >= end) throw error;
    }
    await pause(pauseMs);
  }
}

function nextPause(pauseMs: number): number {
  return Math.min(PAUSE_MAX_MS, 1 + pauseMs * (1.5 + Math.random()));
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/**
 * An open database file. SQLite is synchronous: while it reads, or writes to the disk, the thread runs nothing else.
 *
 * Writes that arrive in the same turn of the event loop share a transaction, because most of the time of a write is spent
 * waiting for the disk. Each write resolves when its transaction is on the disk.
 *
 * Calls reject with a {@link SqliteFileError} if SQLite reports an error, and after the file is closed. SQLite does not notice if
 * the file is moved, removed or replaced while it is open: it continues with the file that it has open, which a restart does not
 * find. Writes to a file that has been gone for longer than a second reject.
 */
export class SqliteDatabase {
  /** The path of the file, as it was passed to `openSqliteDatabase`. */
  readonly file: string;
  readonly #connection: DatabaseSync;
  readonly #deadlineMs: number;
  readonly #path: string;
  readonly #identity: string | undefined;
  readonly #writes = new GroupCommit<Write['value'], unknown>(BATCH_MAX, async (batch) => this.#writeBatch(batch));
  #pauseMs = 0;
  #isClosed = false;
  /** Whether the last transaction failed for a reason other than a lock. */
  #hasWriteFailed = false;
  /** By the clock of `performance`. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Use `openSqliteDatabase`. */
  constructor(connection: DatabaseSync, file: string, deadlineMs: number) {
    this.file = file;
    this.#connection = connection;
    this.#deadlineMs = deadlineMs;
    this.#path = resolve(file);
    this.#identity = identityOf(this.#path);
  }

  /**
   * Prepares a statement, which reads integers as `bigint`. `valuesOf` reads its rows. Since Node 26, `run` of any other statement
   * throws if the last id of the connection is beyond 2^53, even after a COMMIT.
   *
   * @throws SqliteFileError if the file lacks a table or a column.
   */
  prepare(sql: string): Statement {
    try {
      const statement = this.#connection.prepare(sql);
      statement.setReadBigInts(true);
      statement.setReturnArrays?.(true);
      return statement;
    } catch (error) {
      throw fileError(this.file, error);
    }
  }

  /** Runs statements that only read. Rejects with `store_unavailable` if the database is locked until the deadline. */
  async read<T>(operate: () => T): Promise<T> {
    try {
      return await retryWhileBusy(this.#deadlineMs, () => {
        this.#refuseIfClosed();
        return operate();
      });
    } catch (error) {
      throw fileError(this.file, error);
    }
  }

  /**
   * Runs statements in a transaction. Resolves to the result of `operate` once the transaction is on the disk. Several writes share
   * a transaction: what `operate` has written before it throws may be stored.
   *
   * Rejects with what `operate` throws, with `store_unavailable` if the database is locked until the deadline, and with the
   * signal's reason if it is aborted before the transaction begins. An error of SQLite undoes the whole transaction.
   */
  async write<T>(operate: () => T, options?: CallOptions): Promise<T> {
    this.#refuseIfClosed();
    const end = performance.now() + this.#deadlineMs;
    return this.#writes.add({ operate, end }, options) as Promise<T>;
  }

  /**
   * Checks that the file is in its place and can be read, and, if the last write failed, that it can be written. May write one page.
   *
   * @throws SqliteFileError if it cannot.
   * @throws AnimalStoreError `store_unavailable` if another process has it locked at the moment.
   */
  check(): void {
    this.#refuseIfClosed();
    try {
      this.#refuseIfMoved();
      this.#connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get();
      if (!this.#hasWriteFailed) return;
      this.#rollBack();
      this.#connection.exec(MARK);
      this.#hasWriteFailed = false;
    } catch (error) {
      throw fileError(this.file, error);
    }
  }

  /** Writes all pending changes, and closes the file. Further calls do nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#writes.idle();
    this.#connection.close();
  }

  #refuseIfClosed(): void {
    if (this.#isClosed) throw new SqliteFileError(this.file, 'is closed');
  }

  #refuseIfMoved(): void {
    if (identityOf(this.#path) !== this.#identity) {
      throw new SqliteFileError(this.file, 'was moved, removed or replaced while it was open');
    }
    this.#lookedAt = performance.now();
  }

  async #writeBatch(batch: readonly Write[]): Promise<void> {
    try {
      if (performance.now() - this.#lookedAt >= LOOK_MS) this.#refuseIfMoved();
      // The last ROLLBACK may have failed, too.
      if (this.#hasWriteFailed) this.#rollBack();
      this.#connection.exec('BEGIN IMMEDIATE');
    } catch (error) {
      await this.#rejectOrPause(batch, error);
      return;
    }
    this.#pauseMs = 0;
    try {
      const settle = batch.map(run);
      this.#connection.exec('COMMIT');
      this.#hasWriteFailed = false;
      for (const each of settle) each();
    } catch (error) {
      this.#hasWriteFailed = true;
      for (const write of batch) write.reject(fileError(this.file, error));
      this.#rollBack();
    }
  }

  async #rejectOrPause(batch: readonly Write[], error: unknown): Promise<void> {
    const isLocked = isBusy(error);
    this.#hasWriteFailed ||= !isLocked;
    const now = performance.now();
    for (const write of batch) if (!isLocked || write.value.end <= now) write.reject(fileError(this.file, error));
    if (isLocked) await pause((this.#pauseMs = nextPause(this.#pauseMs)));
  }

  #rollBack(): void {
    try {
      this.#connection.exec('ROLLBACK');
    } catch (error) {
      // SQLite has ended the transaction already, as it does on a full disk; or there was none.
      if (resultCodeOf(error) !== ERROR) throw error;
    }
  }
}

/** Returns a function that settles the promise. Throws an error of SQLite, which may have ended the transaction. */
function run(write: Write): () => void {
  try {
    const result = write.value.operate();
    return () => write.resolve(result);
  } catch (error) {
    if (resultCodeOf(error) !== undefined) throw error;
    return () => write.reject(error);
  }
}
