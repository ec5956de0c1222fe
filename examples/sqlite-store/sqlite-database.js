import Database from 'better-sqlite3';
import { AnimalStoreError } from 'animal-store';

/** @import { Database as SqliteDatabase } from 'better-sqlite3' */

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never gives an id twice, even if the last animal was deleted by hand
    name TEXT NOT NULL,
    categoryId INTEGER NOT NULL,
    status TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS petsByStatus ON pets (status, id);

  CREATE TABLE IF NOT EXISTS apiKeys (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE, -- the SHA-256 of the key
    name TEXT NOT NULL,
    createdAt INTEGER NOT NULL, -- times and durations are in milliseconds
    lifetimeMs INTEGER,
    expiresAt INTEGER,
    revokedAt INTEGER
  ) STRICT, WITHOUT ROWID;
`;

/**
 * Opens a database file, and makes the file and its tables if they are missing. Several processes may open the same file.
 *
 * @param {string} file
 * @param {object} [options]
 * @param {number} [options.busyTimeoutMs] How long an operation waits, and blocks its process, while another process
 * writes. @default 1000
 * @returns {SqliteDatabase}
 */
export function openDatabase(file, { busyTimeoutMs = 1000 } = {}) {
  const db = new Database(file, { timeout: busyTimeoutMs });
  db.defaultSafeIntegers(); // reads integers as bigint, digit for digit
  db.pragma('journal_mode = WAL'); // readers do not wait for a writer
  db.pragma('synchronous = FULL'); // a change is on the disk before its statement returns
  db.exec(SCHEMA);
  return db;
}

/**
 * Runs an operation on the database. If another process has it locked for too long, throws the error that the ports
 * promise. Every other error passes through unchanged.
 *
 * @template T
 * @param {() => T} operation
 * @returns {T}
 */
export function attempt(operation) {
  try {
    return operation();
  } catch (error) {
    if (!(error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY'))) throw error;
    throw new AnimalStoreError('store_unavailable', 'another process has the database locked', { cause: error });
  }
}
