import type { Db, IndexDescription } from 'mongodb';
import { COLLECTIONS } from './collections.js';
import { codeOf } from './errors.js';

const INDEXES = {
  [COLLECTIONS.pets]: [
    { name: 'status_1__id_1', key: { status: 1, _id: 1 } },
    { name: 'digest_1', key: { digest: 1 }, unique: true, sparse: true },
  ],
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
    const code = codeOf(error);
    const database = `the MongoDB database ${db.databaseName}`;
    if (code === UNAUTHORIZED) {
      const problem = 'is not writable for its user, who needs a role such as readWrite';
      throw new Error(`${database} ${problem}`, { cause: error });
    }
    if (code === INDEX_OPTIONS_CONFLICT || code === INDEX_KEY_SPECS_CONFLICT) {
      const { name, ...needed } = index;
      const need = `needs the index ${name} of the collection ${collection}, ${JSON.stringify(needed)}`;
      const remedy = `another index conflicts with it: drop that one, then start again (${(error as Error).message})`;
      throw new Error(`${database} ${need}; ${remedy}`, { cause: error });
    }
    throw error;
  }
}

export async function checkDatabase(db: Db): Promise<void> {
  const options = { nameOnly: true, authorizedCollections: true } as const;
  const names = new Set((await db.listCollections({}, options).toArray()).map(({ name }) => name));
  if (names.size === 0) throw new Error(`the MongoDB database ${db.databaseName} does not exist`);
  const missing = Object.keys(INDEXES).filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new Error(`the MongoDB database ${db.databaseName} has no collection ${missing.join(' and no collection ')}`);
}
