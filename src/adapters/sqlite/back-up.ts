import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from './node-sqlite.js';
import { SqliteFileError } from './sqlite-errors.js';

/** How long the copy waits for a lock of another process, in milliseconds. */
const BUSY_TIMEOUT_MS = 5000;

/**
 * Copies a database file as a consistent snapshot, even while the file is open elsewhere. The copy is a complete database.
 * Blocks the thread until it is on the disk.
 *
 * @throws SqliteFileError if the file is missing, if the path of the copy exists already, or if it cannot be copied.
 */
export function backUpSqliteFile(file: string, copy: string): void {
  // SQLite would create a missing file, and write into an empty one.
  if (!existsSync(file)) throw new SqliteFileError(file, 'is missing');
  if (existsSync(copy)) throw new SqliteFileError(file, `cannot be copied to ${copy}, which exists already`);
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(resolve(file));
    connection.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    connection.prepare('VACUUM INTO ?').run(resolve(copy));
    flush(copy);
  } catch (cause) {
    rmSync(copy, { force: true });
    throw new SqliteFileError(file, `cannot be copied to ${copy}`, { cause });
  } finally {
    connection?.close();
  }
}

/** Waits until a file is on the disk. `VACUUM INTO` does not wait for this. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
