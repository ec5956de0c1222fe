import { AnimalStoreError } from '../../domain/errors.js';

/** The database file cannot be used. `message` names the file and the reason; `cause` is SQLite's error, if there was one. */
export class SqliteFileError extends Error {
  override readonly name = 'SqliteFileError';

  /** @param reason The rest of a sentence that begins with the file. */
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`the SQLite file ${file} ${reason}`, options);
  }
}

/** Why a file cannot be used if its path now has another file, or none. */
export const MOVED = 'was moved, removed or replaced while it was open';

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const [ERROR, PERM, BUSY, LOCKED, NOMEM, READONLY, CORRUPT] = [1, 3, 5, 6, 7, 8, 11];
const [FULL, CANTOPEN, PROTOCOL, NOLFS, NOTADB, READONLY_DBMOVED] = [13, 14, 15, 22, 26, 1032];

/** Why a file cannot be used, by SQLite's result code: an extended code comes before its primary code. */
const REASONS: ReadonlyMap<number, string> = new Map([
  [READONLY_DBMOVED, MOVED],
  [PERM, 'may not be used by this user'],
  [NOMEM, 'cannot be used: out of memory'],
  [READONLY, 'is read-only'],
  [CORRUPT, 'is damaged: restore it from a back-up'],
  [FULL, 'cannot be written: the disk is full'],
  [CANTOPEN, 'cannot be opened: it needs a folder that exists, and the rights to read and write there'],
  [NOLFS, 'has reached the largest size that its file system allows'],
  [NOTADB, 'is not an SQLite database'],
]);

/** The extended result code of an SQLite error; `undefined` for any other error. */
function codeOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return error instanceof Error && typeof errcode === 'number' ? errcode : undefined;
}

function primaryOf(code: number): number {
  return code & 0xff;
}

/** Whether a call failed only because SQLite could not lock the database. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && [BUSY, LOCKED, PROTOCOL].includes(primaryOf(code));
}

/** Whether a statement that ends a transaction or a savepoint failed because SQLite had ended the transaction before. */
export function isNoTransaction(error: unknown): boolean {
  return codeOf(error) === ERROR && /no transaction is active|no such savepoint/.test((error as Error).message);
}

/**
 * The error of a call that could not lock the file in time. SQLite reports the same code for another process's lock and for a
 * file system without locks.
 */
export function storeUnavailable(file: string, cause: unknown): AnimalStoreError {
  const message = `the SQLite file ${file} could not be locked: another process has it locked, or its file system has no locks, like many network drives`;
  return new AnimalStoreError('store_unavailable', message, { cause });
}

/** Turns an error of SQLite into one that names the file. Returns any other error unchanged. */
export function fileError(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined) return error;
  const reason =
    REASONS.get(code) ??
    REASONS.get(primaryOf(code)) ??
    `caused an error: ${(error as Error).message} (result code ${code} of SQLite)`;
  return new SqliteFileError(file, reason, { cause: error });
}
