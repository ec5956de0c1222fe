import type { Db, IndexDescription } from 'mongodb';
import { COLLECTIONS } from './collections.js';
import { codeOf } from './errors.js';

/** The indexes that the adapter's queries and its uniqueness need. */
const INDEXES = {
  [COLLECTIONS.pets]: [
    // Serves lists by status.
    { name: 'status_1__id_1', key: { status: 1, _id: 1 } },
    // Keeps idempotency keys unique.
    { name: 'once_1', key: { once: 1 }, unique: true, sparse: true },
  ],
  // Serves look-ups of keys, and keeps digests unique.
  [COLLECTIONS.apiKeys]: [{ name: 'digest_1', key: { digest: 1 }, unique: true }],
} as const;

const UNAUTHORIZED = 13;
const INDEX_OPTIONS_CONFLICT = 85;
const INDEX_KEY_SPECS_CONFLICT = 86;

/**
 * Creates the collections and indexes that a database lacks. Any number of calls is fine, and any number of processes.
 *
 * Takes as long as the server takes to build the indexes, so give it a `Db` of a client without `socketTimeoutMS`. Rejects with an error
 * that says what to do if the user may not write to the database, or if an index of another shape has the place of one of these;
 * otherwise with the driver's error.
 */
export async function prepareDatabase(db: Db): Promise<void> {
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    for (const index of indexes) await createIndex(db, collection, index);
  }
}

async function createIndex(db: Db, collection: string, index: IndexDescription): Promise<void> {
  try {
    await db.collection(collection, { writeConcern: { w: 'majority' } }).createIndexes([{ ...index }]);
  } catch (error) {
    const problem = problemWith(error, collection, index);
    throw problem === undefined
      ? error
      : new Error(`the MongoDB database ${db.databaseName} ${problem}`, { cause: error });
  }
}

/** What an operator can do about an index that cannot be created, in a sentence about the database. */
function problemWith(
  error: unknown,
  collection: string,
  { name, key, unique, sparse }: IndexDescription,
): string | undefined {
  switch (codeOf(error)) {
    case UNAUTHORIZED:
      return 'is not writable for its user, who needs a role such as readWrite';
    case INDEX_OPTIONS_CONFLICT:
    case INDEX_KEY_SPECS_CONFLICT: {
      const needed = `${JSON.stringify(key)}${unique === true ? ', unique' : ''}${sparse === true ? ', sparse' : ''}`;
      const conflict = `needs the index ${name} of the collection ${collection} (${needed}), with which another index conflicts`;
      return `${conflict}: drop that one, then start again (${(error as Error).message})`;
    }
    default:
      return undefined;
  }
}

/**
 * Checks that a database has the collections that {@link prepareDatabase} creates, and creates nothing. Rejects with an error that
 * names what is missing.
 */
export async function checkDatabase(db: Db): Promise<void> {
  const options = { nameOnly: true, authorizedCollections: true } as const;
  const names = new Set((await db.listCollections({}, options).toArray()).map(({ name }) => name));
  if (names.size === 0) throw new Error(`the MongoDB database ${db.databaseName} does not exist`);
  const missing = Object.keys(INDEXES).filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new Error(`the MongoDB database ${db.databaseName} has no collection ${missing.join(' and no collection ')}`);
}
