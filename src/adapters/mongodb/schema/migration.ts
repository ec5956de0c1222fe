import type { Db, Document } from 'mongodb';
import { NAME_MAX_LENGTH } from '../../../domain/pet.js';
import { PET_STATUSES } from '../../../domain/pet-status.js';
import { READ_OPTIONS } from '../collections.js';
import { describeIndex, INDEXES, makeIndexes, missingIndexes } from './indexes.js';
import { checkShardKeys } from './shard-keys.js';

/** The options of {@link plannedChanges}. */
export interface MigrationOptions {
  /** Whether the collections are to have a validator, which refuses malformed documents of other programs. @default false */
  readonly validate?: boolean;
  /** How long each check of the indexes and of the shard keys may take, in milliseconds. @default 5000 */
  readonly deadlineMs?: number;
}

/** One change that a database needs. */
export interface Change {
  /** What it does, such as `create the index pets { status: 1, _id: 1 }`. */
  readonly description: string;
  /** Makes it. Takes as long as the server takes. Applying it twice is harmless. */
  apply(): Promise<unknown>;
}

const INTEGER = { bsonType: ['long', 'int'] };

const PET: Document = {
  bsonType: 'object',
  required: ['_id', 'name', 'categoryId'],
  properties: {
    _id: { ...INTEGER, minimum: 1 },
    name: { bsonType: 'string', minLength: 1, maxLength: NAME_MAX_LENGTH },
    categoryId: INTEGER,
    status: { enum: [...PET_STATUSES] },
    once: { bsonType: 'binData' },
  },
};

/** The `$jsonSchema` that the documents of each collection must match. */
export const SCHEMAS: Readonly<Record<string, Document>> = {
  pets: PET,
  creations: {
    bsonType: 'object',
    required: ['_id', 'pet', 'at'],
    properties: { _id: { bsonType: 'binData' }, pet: PET, at: { bsonType: 'date' } },
  },
  counters: { bsonType: 'object', required: ['_id', 'last'], properties: { last: INTEGER } },
  apiKeys: {
    bsonType: 'object',
    required: ['_id', 'digest', 'name', 'createdAt'],
    properties: {
      _id: { bsonType: 'string' },
      digest: { bsonType: 'binData' },
      name: { bsonType: 'string' },
      createdAt: { bsonType: 'date' },
      expiresAt: { bsonType: 'date' },
      revokedAt: { bsonType: 'date' },
      lifetimeMs: { bsonType: 'number' },
    },
  },
};

/**
 * The changes that a database needs, in the order in which to make them; none if it is ready. Changes nothing.
 *
 * Rejects with a `ShardingError` if `pets` or `creations` has a shard key that does not keep `_id` unique, and with a
 * `CollationError` if a collection has a default collation.
 */
export async function plannedChanges(
  db: Db,
  { validate = false, deadlineMs }: MigrationOptions = {},
): Promise<Change[]> {
  await checkShardKeys(db, deadlineMs);
  const missing = await missingIndexes(db, INDEXES, deadlineMs);
  const indexes = missing.map((index) => ({
    description: `create the index ${describeIndex(index)}`,
    apply: async () => makeIndexes(db, [index], deadlineMs),
  }));
  return [...indexes, ...(validate ? await missingValidators(db) : [])];
}

async function missingValidators(db: Db): Promise<Change[]> {
  const collections = await db
    .listCollections({ name: { $in: Object.keys(SCHEMAS) } }, { ...READ_OPTIONS, nameOnly: false })
    .toArray();
  const present = new Map(collections.map(({ name, options }) => [name, options?.['validator']]));
  return Object.entries(SCHEMAS).flatMap(([name, $jsonSchema]) => {
    const validator = { $jsonSchema };
    if (JSON.stringify(present.get(name)) === JSON.stringify(validator)) return [];
    return [{ description: `set the validator of ${name}`, apply: async () => setValidator(db, name, validator) }];
  });
}

/** Sets the validator of a collection, and makes the collection if it is missing. */
async function setValidator(db: Db, name: string, validator: Document): Promise<void> {
  const options = { validator, validationLevel: 'strict', validationAction: 'error' };
  const exists = await db.listCollections({ name }, { ...READ_OPTIONS, nameOnly: true }).hasNext();
  if (exists) await db.command({ collMod: name, ...options });
  else await db.createCollection(name, { ...READ_OPTIONS, ...options });
}
