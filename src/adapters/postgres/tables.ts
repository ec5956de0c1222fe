import type pg from 'pg';
import { codeOf } from './errors.js';
import { AS_TEXT } from './session.js';

/** The version of the tables, in the table `animal_store`. A database with another version is refused. */
const VERSION = '1';

/** Creates the tables and their indexes. `docs/operating/postgresql.md` describes them. */
const TABLES = `
  CREATE TABLE animal_store (version integer NOT NULL);
  INSERT INTO animal_store VALUES (${VERSION});

  CREATE TABLE pets (
    id bigint PRIMARY KEY,
    name text NOT NULL,
    category_id bigint NOT NULL,
    status text COLLATE "C" CHECK (status IN ('available', 'pending', 'sold')),
    digest bytea UNIQUE CHECK (octet_length(digest) = 32) -- the SHA-256 of the idempotency key
  );
  CREATE INDEX pets_by_status ON pets (status, id);

  -- One row, which each creation changes. A free part of its page lets PostgreSQL reuse the space.
  CREATE TABLE pet_counter (last bigint NOT NULL) WITH (fillfactor = 10);
  INSERT INTO pet_counter VALUES (0);

  CREATE TABLE api_keys (
    id text COLLATE "C" PRIMARY KEY, -- by code unit, whatever the collation of the database
    digest bytea NOT NULL UNIQUE CHECK (octet_length(digest) = 32), -- the SHA-256 of the key
    name text NOT NULL,
    created_at bigint NOT NULL, -- times and durations are in milliseconds
    lifetime_ms bigint,
    expires_at bigint,
    revoked_at bigint
  );
`;

/** Identifies the lock of those who create the tables: the letters `AnSt`. */
const LOCK = 0x41_6e_53_74;

const INSUFFICIENT_PRIVILEGE = '42501';
const DUPLICATE_TABLE = '42P07';

/**
 * Creates the tables if there are none. Any number of processes may do so at once.
 *
 * Rejects with an error that says what is wrong if the database has another encoding than UTF-8, or tables of another version or of
 * another program, or if its user may not create tables.
 */
export async function prepareTables(session: pg.ClientBase): Promise<void> {
  if (await hasTables(session)) return;
  await session.query('BEGIN');
  try {
    await session.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    if (!(await hasTables(session))) await session.query(TABLES);
    await session.query('COMMIT');
  } catch (error) {
    await session.query('ROLLBACK');
    throw errorOfPreparation(error);
  }
}

/** Rejects with an error that says what is wrong if there are no tables, and as {@link prepareTables} does. Creates nothing. */
export async function checkTables(session: pg.ClientBase): Promise<void> {
  if (!(await hasTables(session))) throw new Error('the PostgreSQL database has no tables of Animal Store');
}

async function hasTables(session: pg.ClientBase): Promise<boolean> {
  // Not `to_regclass`, which may still remember that there was no table before this session got the lock.
  const look = `SELECT current_setting('server_encoding'),
    EXISTS (SELECT 1 FROM pg_class WHERE relname = 'animal_store' AND pg_table_is_visible(oid))`;
  const [encoding, isThere] = await firstRow(session, look);
  if (encoding !== 'UTF8') {
    throw new Error(`the PostgreSQL database has the encoding ${String(encoding)}: create one with the encoding UTF8`);
  }
  if (isThere !== 't') return false;
  const [version] = await firstRow(session, 'SELECT version FROM animal_store');
  if (version === VERSION) return true;
  const problem = `its tables have version ${String(version)}, not ${VERSION}`;
  throw new Error(`the PostgreSQL database was written by another version of Animal Store: ${problem}`);
}

async function firstRow(session: pg.ClientBase, text: string): Promise<readonly unknown[]> {
  const { rows } = await session.query<unknown[]>({ text, rowMode: 'array', types: AS_TEXT });
  return rows[0] ?? [];
}

function errorOfPreparation(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  if (codeOf(error) === INSUFFICIENT_PRIVILEGE) {
    const remedy = 'let it create tables in the schema, or create them once with another user';
    return new Error(`the user of the PostgreSQL database may not create its tables: ${remedy} (${message})`, {
      cause: error,
    });
  }
  if (codeOf(error) === DUPLICATE_TABLE) {
    return new Error(`the PostgreSQL database belongs to another program: ${message}`, { cause: error });
  }
  return error;
}
