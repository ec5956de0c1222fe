/** Marks a file as a database of Animal Store, in SQLite's `application_id`: the letters `AnSt`. */
export const APPLICATION_ID = 0x41_6e_53_74;

/**
 * The statements that migrate the schema from each version to the next. A released version never changes: append the next one.
 * SQLite's `user_version` is the number of migrations that a file has.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE pets (
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never gives an id twice, even if the last animal was deleted by hand
    name TEXT NOT NULL,
    categoryId INTEGER NOT NULL,
    status TEXT CHECK (status IN ('available', 'pending', 'sold'))
  ) STRICT;
  CREATE INDEX petsByStatus ON pets (status, id);

  CREATE TABLE creations (
    digest BLOB PRIMARY KEY, -- the SHA-256 of the idempotency key
    petId INTEGER NOT NULL,
    at INTEGER NOT NULL -- milliseconds since 1970
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX creationsByTime ON creations (at);

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
