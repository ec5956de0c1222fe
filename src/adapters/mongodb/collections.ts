import { Long, type Collection, type CollectionOptions, type OptionalUnlessRequiredId } from 'mongodb';
import { toInt64 } from '../../domain/int64.js';
import { beforeDeadline, type CallLimits } from './operation.js';
import { codeOf } from './unavailable-errors.js';

/**
 * How the answers to our own operations are read, whatever the client was told: int64 as `Long`, binary as `Buffer`.
 *
 * Not as `bigint`: the driver reads errors with the same options, and its monitoring throws in a timer if the
 * `topologyVersion` of an error holds one. {@link int64Of} converts.
 */
export const READ_OPTIONS = {
  useBigInt64: false,
  promoteLongs: false,
  promoteValues: true,
  promoteBuffers: true,
  raw: false,
} as const;

/**
 * How each collection is read and written, whatever the client was told: {@link READ_OPTIONS}; reads from the primary, of
 * what a majority has; writes acknowledged once a majority has them in its journals.
 *
 * @param deadlineMs The deadline of an operation. The server stops waiting for the majority a little earlier.
 */
export function collectionOptions(deadlineMs: number): CollectionOptions {
  return {
    ...READ_OPTIONS,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: beforeDeadline(deadlineMs) },
  };
}

/** An integer of a document: an int64, an int32 or a whole double. @returns `undefined` for anything else. */
export function int64Of(value: unknown): bigint | undefined {
  if (!Long.isLong(value)) return toInt64(value);
  const rounded = value.toNumber();
  // `toBigInt` writes the decimal digits and parses them, which costs a fifth of a list of 100 animals.
  return Number.isSafeInteger(rounded) ? BigInt(rounded) : value.toBigInt();
}

/** Whether a write failed because a unique key, such as `_id`, is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return codeOf(error) === 11000;
}

/** Inserts a document. `false` if a unique key of it, such as `_id`, is taken. */
export async function insertIfFree<T extends { readonly _id: unknown }>(
  collection: Collection<T>,
  document: OptionalUnlessRequiredId<T>,
  limits: CallLimits,
): Promise<boolean> {
  try {
    await collection.insertOne(document, limits);
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
