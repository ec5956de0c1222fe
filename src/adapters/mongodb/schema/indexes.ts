import type { Db, IndexDescriptionInfo } from 'mongodb';
import { IDEMPOTENCY_KEY_RETENTION_MS } from '../../../domain/idempotency-key.js';
import { READ_OPTIONS } from '../collections.js';
import { DEFAULT_DEADLINE_MS, withDeadline } from '../operation.js';
import { codeOf, unavailableIfNoAnswer } from '../unavailable-errors.js';

/** An index that the adapter's queries need. */
export interface Index {
  readonly collection: 'pets' | 'creations' | 'apiKeys';
  readonly key: Readonly<Record<string, 1>>;
  readonly unique?: true;
  /** After how many seconds at the earliest the server removes a document, counted from its date. */
  readonly expireAfterSeconds?: number;
}

/** Serves lists by status. */
export const PETS_BY_STATUS = { collection: 'pets', key: { status: 1, _id: 1 } } as const satisfies Index;

/** Removes the reservations of `addOnce`: an hour later than it promises, as clocks differ. */
export const CREATIONS_BY_AGE = {
  collection: 'creations',
  key: { at: 1 },
  expireAfterSeconds: IDEMPOTENCY_KEY_RETENTION_MS / 1000 + 3600,
} as const satisfies Index;

/** Serves look-ups of keys, and keeps digests unique. */
export const API_KEYS_BY_DIGEST = {
  collection: 'apiKeys',
  key: { digest: 1 },
  unique: true,
} as const satisfies Index;

/** Every index that the adapter needs. */
export const INDEXES: readonly Index[] = [PETS_BY_STATUS, CREATIONS_BY_AGE, API_KEYS_BY_DIGEST];

/** Collections compare texts in a way that the adapter cannot use. `message` says which, in one line for each collection. */
export class CollationError extends Error {
  override readonly name = 'CollationError';
  /** What is wrong, once for each collection. */
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(errors.join('\n'));
    this.errors = errors;
  }
}

const NAMESPACE_NOT_FOUND = 26;

/**
 * Those of the indexes that a database lacks. An index of the same key pattern counts, whatever its name. Rejects with
 * `store_unavailable` if the server does not answer in time, and with a {@link CollationError} if a collection has a default
 * collation: its indexes and queries then have it, too, and so does the index of `_id`, permanently.
 *
 * @param deadlineMs How long the check may take, in milliseconds.
 */
export async function missingIndexes(
  db: Db,
  indexes: readonly Index[],
  deadlineMs = DEFAULT_DEADLINE_MS,
): Promise<Index[]> {
  const collections = [...new Set(indexes.map(({ collection }) => collection))];
  const present = new Map(
    await Promise.all(collections.map(async (name) => [name, await indexesOf(db, name, deadlineMs)] as const)),
  );
  const errors = [...present].flatMap(([name, found]) => {
    const collation = found.find(isOfId)?.collation;
    if (collation === undefined) return [];
    return [
      `${name} has a default collation (${JSON.stringify(collation.locale)}): move its documents to a collection without one`,
    ];
  });
  if (errors.length > 0) throw new CollationError(errors);
  return indexes.filter((index) => !present.get(index.collection)?.some((found) => serves(found, index)));
}

/**
 * Makes those of the indexes that a database lacks, and resolves to them. Looks first, so a user without the right to make
 * indexes may call it if all of them are there. Rejects as {@link missingIndexes} does, also if the connection is lost
 * while an index is made, and with the driver's error if an index cannot be made.
 *
 * @param deadlineMs How long the check may take, in milliseconds. Making an index has no limit: on millions of documents it
 * takes minutes.
 */
export async function makeIndexes(db: Db, indexes: readonly Index[], deadlineMs?: number): Promise<Index[]> {
  const missing = await missingIndexes(db, indexes, deadlineMs);
  for (const { collection, key, ...options } of missing) {
    const majority = db.collection(collection, { ...READ_OPTIONS, writeConcern: { w: 'majority' } });
    await majority.createIndex({ ...key }, options, {}).catch((error: unknown) => {
      throw unavailableIfNoAnswer(error);
    });
  }
  return missing;
}

/** An index as a person would write it, such as `pets { status: 1, _id: 1 }`. */
export function describeIndex({ collection, key, unique, expireAfterSeconds }: Index): string {
  const fields = Object.entries(key).map(([name, direction]) => `${name}: ${direction}`);
  const isUnique = unique === undefined ? '' : ', unique';
  const expires = expireAfterSeconds === undefined ? '' : `, which expires documents after ${expireAfterSeconds} s`;
  return `${collection} { ${fields.join(', ')} }${isUnique}${expires}`;
}

async function indexesOf(db: Db, collection: string, deadlineMs: number): Promise<IndexDescriptionInfo[]> {
  try {
    return await withDeadline(deadlineMs, async (limits) =>
      db.collection(collection, { ...READ_OPTIONS, readPreference: 'primary' }).indexes(limits.startCall()),
    );
  } catch (error) {
    if (codeOf(error) === NAMESPACE_NOT_FOUND) return [];
    throw error;
  }
}

function isOfId({ key }: IndexDescriptionInfo): boolean {
  return JSON.stringify(key) === '{"_id":1}';
}

/**
 * Whether an index that is there does what is needed: same fields in the same order, over all documents, none of which it
 * removes too early.
 */
function serves(found: IndexDescriptionInfo, { key, unique, expireAfterSeconds = Infinity }: Index): boolean {
  return (
    JSON.stringify(Object.entries(found.key)) === JSON.stringify(Object.entries(key)) &&
    (unique === undefined || found.unique === true) &&
    (found.expireAfterSeconds ?? Infinity) >= expireAfterSeconds &&
    found.partialFilterExpression === undefined &&
    found.sparse !== true &&
    found.hidden !== true &&
    found.collation === undefined
  );
}
