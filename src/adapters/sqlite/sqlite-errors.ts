import { AnimalStoreError } from '../../domain/errors.js';

/** The database file cannot be used. `message` names the file and the reason; `cause` is SQLite's error, if there was one. */
export class SqliteFileError extends Error {
  override readonly name = 'SqliteFileError';

  /** @param reason The rest of a sentence that begins with the file. */
  constructor(file: string, reason: string, options?: ErrorOptions) {
    super(`the SQLite file ${file} ${reason}`, options);
  }
}

/** Primary result codes of SQLite (https://sqlite.org/rescode.html). */
export const [ERROR, BUSY, LOCKED, READONLY, CORRUPT, FULL, CANTOPEN, PROTOCOL, NOTADB] = [
  1, 5, 6, 8, 11, 13, 14, 15, 26,
] as const;

const REASONS: ReadonlyMap<number, string> = new Map([
  [READONLY, 'is read-only'],
  [CORRUPT, 'is damaged: restore it from a back-up'],
  [FULL, 'cannot be written: the disk is full'],
  [CANTOPEN, 'cannot be opened: it needs a folder that exists, and the rights to read and write there'],
  [NOTADB, 'is not an SQLite database'],
]);

/** The primary code is the low byte of SQLite's extended one. */
export function resultCodeOf(error: unknown): number | undefined {
  const { errcode } = (error ?? {}) as { readonly errcode?: unknown };
  return error instanceof Error && typeof errcode === 'number' ? errcode & 0xff : undefined;
}

export function isBusy(error: unknown): boolean {
  return [BUSY, LOCKED, PROTOCOL].some((code) => code === resultCodeOf(error));
}

export function fileError(file: string, error: unknown): unknown {
  const code = resultCodeOf(error);
  if (code === undefined) return error;
  if (isBusy(error)) {
    // SQLite reports the same code for both.
    const message = `the SQLite file ${file} could not be locked: another process has it locked, or its file system has no locks, like many network drives`;
    return new AnimalStoreError('store_unavailable', message, { cause: error });
  }
  const reason = REASONS.get(code) ?? `caused an error: ${(error as Error).message} (result code ${code} of SQLite)`;
  return new SqliteFileError(file, reason, { cause: error });
}
