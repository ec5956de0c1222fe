import { AnimalStoreError } from '../../domain/errors.js';

/** The database file cannot be used. `message` names the file and says why; the `cause` is the error of SQLite, if it had one. */
export class SqliteFileError extends Error {
  override readonly name = 'SqliteFileError';

  /** @param reason Continues a sentence that begins with the file. */
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`the SQLite file ${file} ${reason}`, options);
  }
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const [ERROR, BUSY, LOCKED, READONLY, FULL, CANTOPEN, PROTOCOL, NOTADB] = [1, 5, 6, 8, 13, 14, 15, 26];

/** Why a file cannot be opened, by the result code of SQLite. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  [READONLY, 'is read-only'],
  [FULL, 'cannot be written: the disk is full'],
  [CANTOPEN, 'cannot be opened: it needs a folder that exists, and the rights to read and write there'],
  [NOTADB, 'is not an SQLite database'],
]);

/** The primary result code of an error of SQLite; `undefined` for any other error. */
function resultCodeOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return error instanceof Error && typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Whether a call failed only because another connection has the database locked. */
export function isBusy(error: unknown): boolean {
  const code = resultCodeOf(error);
  return code === BUSY || code === LOCKED || code === PROTOCOL;
}

/** Whether a statement that ends a transaction or a savepoint failed because SQLite had ended the transaction before. */
export function isNoTransaction(error: unknown): boolean {
  return resultCodeOf(error) === ERROR && /no transaction is active|no such savepoint/.test((error as Error).message);
}

/** The error of a call that waited too long for another connection. */
export function storeUnavailable(cause: unknown): AnimalStoreError {
  return new AnimalStoreError('store_unavailable', 'another process has the database locked', { cause });
}

/** The error of a file that cannot be opened. Errors of any other kind stay as they are. */
export function openError(file: string, error: unknown): unknown {
  const reason = REASONS.get(resultCodeOf(error));
  return reason === undefined ? error : new SqliteFileError(file, reason, { cause: error });
}
