/** Marks a file as a database of Animal Store, in SQLite's `application_id`: the letters `AnSt`. */
export const APPLICATION_ID = 0x41_6e_53_74;

/** Marks a file. If it is marked already, this writes one page without changing it. */
export const MARK = `PRAGMA application_id = ${APPLICATION_ID}`;

/** The version of the tables, in SQLite's `user_version`. A file with another version is refused. */
export const SCHEMA_VERSION = 1;

/** Creates the tables and their indexes in an empty file. `docs/operating/sqlite.md` describes them. */
export const SCHEMA = `
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

  PRAGMA user_version = ${SCHEMA_VERSION};
`;
