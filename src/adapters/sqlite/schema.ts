/** In SQLite's `application_id`: the letters `AnSt`. */
export const APPLICATION_ID = 0x41_6e_53_74;

/** If the file is marked already, this writes one page without changing it. */
export const MARK = `PRAGMA application_id = ${APPLICATION_ID}`;

/**
 * Each brings the tables to the next version. Add to them, and never change those of a released version: files of every version lead to
 * the same tables. Columns that are added may be `NULL`, so that programs of the previous version that have the file open keep working.
 * `docs/operating/sqlite.md` describes the tables.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never gives an id twice, even if the last animal was deleted by hand
    name TEXT NOT NULL,
    categoryId INTEGER NOT NULL,
    status TEXT CHECK (status IN ('available', 'pending', 'sold')),
    digest BLOB -- the SHA-256 of the idempotency key
  ) STRICT;
  CREATE INDEX petsByStatus ON pets (status, id);
  CREATE UNIQUE INDEX petsByDigest ON pets (digest) WHERE digest IS NOT NULL;

  CREATE TABLE apiKeys (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL UNIQUE, -- the SHA-256 of the key
    name TEXT NOT NULL,
    createdAt INTEGER NOT NULL, -- times and durations are in milliseconds
    lifetimeMs INTEGER,
    expiresAt INTEGER,
    revokedAt INTEGER
  ) STRICT, WITHOUT ROWID;
`,
];

/** In SQLite's `user_version`. */
export const SCHEMA_VERSION = STEPS.length;

/** @param version 0 for an empty file. */
export function stepsFrom(version: number): string {
  return [...STEPS.slice(version), `PRAGMA user_version = ${SCHEMA_VERSION}`].join(';');
}
