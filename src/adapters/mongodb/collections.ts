import {
  Long,
  type Collection,
  type CollectionOptions,
  type Db,
  type Document,
  type OptionalUnlessRequiredId,
  type RunCommandOptions,
} from 'mongodb';
import { setMaxListeners } from 'node:events';
import type { CallOptions } from '../../domain/call-options.js';
import { toInt64 } from '../../domain/int64.js';
import { PET_MEMBER_NAMES } from '../../domain/pet.js';
import { serverLimitMs } from './client.js';
import { duplicatesIn, isRetryable } from './errors.js';

export const COLLECTIONS = { pets: 'pets', counters: 'counters', apiKeys: 'apiKeys' } as const;

/**
 * For our own operations, whatever the options of the client. An int64 is a `Long`, not a `bigint`: the driver reads errors with the same
 * options, and its monitoring throws in a timer if the `topologyVersion` of an error holds one.
 */
const READ_OPTIONS = {
  useBigInt64: false,
  promoteLongs: false,
  promoteValues: true,
  promoteBuffers: true,
  raw: false,
} as const;

/** Overrides the options of the client. The server stops waiting for the majority before the deadline. */
export function collectionOptions(deadlineMs: number): CollectionOptions {
  return {
    ...READ_OPTIONS,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: serverLimitMs(deadlineMs) },
  };
}

/** Accepts an int64, an int32 or a whole double. @returns `undefined` for anything else. */
export function int64Of(value: unknown): bigint | undefined {
  if (!Long.isLong(value)) return toInt64(value);
  const rounded = value.toNumber();
  // `toBigInt` writes the decimal digits and parses them, which costs a fifth of a list of 100 animals.
  return Number.isSafeInteger(rounded) ? BigInt(rounded) : value.toBigInt();
}

/** The server ends a batch at 16 MiB, which then looks like the last one. So members that another program has added are not read. */
const PROJECTIONS: Readonly<Record<Find['find'], Document>> = {
  pets: projectionOf([...PET_MEMBER_NAMES, 'digest']),
  apiKeys: projectionOf(['digest', 'name', 'createdAt', 'expiresAt', 'revokedAt', 'lifetimeMs']),
};

function projectionOf(members: readonly string[]): Document {
  return Object.fromEntries(members.map((member) => [member, 1]));
}

export interface Find {
  readonly find: 'pets' | 'apiKeys';
  readonly filter: Document;
  readonly limit: number;
  readonly sort?: Document;
  readonly hint?: Document;
}

/** `Db.command` costs half the CPU time of the driver's cursor. As a cursor does, this tries once more after a lost connection. */
export async function findDocuments(
  db: Db,
  { find, filter, limit, sort, hint }: Find,
  deadlineMs: number,
  { signal }: CallOptions = {},
): Promise<Document[]> {
  // A literal, which V8 makes much faster than a copy.
  const command: Document = {
    find,
    filter,
    projection: PROJECTIONS[find],
    limit,
    batchSize: limit,
    singleBatch: true,
    maxTimeMS: serverLimitMs(deadlineMs),
    readConcern: { level: 'majority' },
  };
  if (sort !== undefined) command['sort'] = sort;
  if (hint !== undefined) command['hint'] = hint;
  // `READ_OPTIONS`, as far as the defaults differ: `Db.command` inherits no option of the client, and goes to the primary.
  const options: RunCommandOptions = { promoteLongs: false, promoteBuffers: true };
  if (signal instanceof AbortSignal) {
    // The driver adds listeners, and concurrent reads may share a signal: Node 20 would warn of more than ten.
    setMaxListeners(0, signal);
    options.signal = signal;
  }
  const { cursor } = await retryOnce(async () => db.command(command, options));
  return (cursor as { readonly firstBatch: Document[] }).firstBatch;
}

/** For an operation that may safely run twice. */
export async function retryOnce<T>(operate: () => Promise<T>): Promise<T> {
  try {
    return await operate();
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return await operate();
  }
}

/** Resolves to the indexes of the documents with a unique key that is taken. `onRefused` gets those that are refused otherwise. */
export async function insertUnlessTaken<T extends { readonly _id: unknown }>(
  collection: Collection<T>,
  documents: readonly OptionalUnlessRequiredId<T>[],
  onRefused = (_index: number, error: Error): void => {
    throw error;
  },
): Promise<number[]> {
  try {
    await collection.insertMany(documents, { ordered: false });
    return [];
  } catch (error) {
    return duplicatesIn(error, onRefused);
  }
}
