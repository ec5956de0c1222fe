import { codeOf } from './errors.js';
import type { RunStatement } from './statement.js';

/**
 * Each brings the tables to the next version. Add to them, and never change those of a released version: databases of every version lead
 * to the same tables. Columns that are added may be `NULL`, so that processes of the previous version keep working. A step has the
 * time-outs of an operation: one that takes longer, such as an index on millions of animals, needs others first.
 * `docs/operating/postgresql.md` describes the tables.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE animal_store (version integer NOT NULL);
  INSERT INTO animal_store VALUES (0);

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
`,
];

const VERSION = STEPS.length;

/** The letters `AnSt`. */
const LOCK = 0x41_6e_53_74;

const INSUFFICIENT_PRIVILEGE = '42501';
const DUPLICATE_TABLE = '42P07';

/** Any number of processes may do so at once. */
export async function prepareTables(run: RunStatement): Promise<void> {
  if ((await versionOf(run)) === VERSION) return;
  await run({ text: 'BEGIN' });
  try {
    await run({ text: `SELECT pg_advisory_xact_lock(${LOCK})` });
    for (const step of STEPS.slice(await versionOf(run))) await run({ text: step });
    await run({ text: `UPDATE animal_store SET version = ${VERSION}` });
    await run({ text: 'COMMIT' });
  } catch (error) {
    // The caller closes the connection, which undoes the transaction.
    throw errorOfPreparation(error);
  }
}

export async function checkTables(run: RunStatement): Promise<void> {
  const version = await versionOf(run);
  if (version === VERSION) return;
  if (version === 0) throw new Error('the database has no tables of Animal Store');
  throw otherVersion(version, `needs version ${VERSION}, to which the commands that prepare a store bring it`);
}

/** 0 if there are no tables. */
async function versionOf(run: RunStatement): Promise<number> {
  // Not `to_regclass`, which may still remember that there was no table before this session got the lock.
  const look = `SELECT current_setting('server_encoding'),
    EXISTS (SELECT 1 FROM pg_class WHERE relname = 'animal_store' AND pg_table_is_visible(oid))`;
  const [[encoding, isThere] = []] = await run({ text: look });
  if (encoding !== 'UTF8') {
    throw new Error(`the database has the encoding ${String(encoding)}: create one with the encoding UTF8`);
  }
  if (isThere !== 't') return 0;
  const version = Number((await run({ text: 'SELECT version FROM animal_store' }))[0]?.[0]);
  if (version >= 1 && version <= VERSION) return version;
  throw otherVersion(version, `knows version ${VERSION} at most`);
}

function otherVersion(version: number, problem: string): Error {
  return new Error(`the database has tables of version ${version}; this version of Animal Store ${problem}`);
}

function errorOfPreparation(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  if (codeOf(error) === INSUFFICIENT_PRIVILEGE) {
    const remedy = 'let it create tables in the schema, or create them once with another user';
    return new Error(`the user may not create the tables: ${remedy} (${message})`, {
      cause: error,
    });
  }
  if (codeOf(error) === DUPLICATE_TABLE) {
    return new Error(`the database belongs to another program: ${message}`, { cause: error });
  }
  return error;
}
