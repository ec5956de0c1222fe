import type { CollectionOptions } from 'mongodb';

/**
 * How each collection is read and written, whatever the client was told: int64 as `bigint`, binary as `Buffer`; reads
 * from the primary, of what a majority has; writes acknowledged by a majority once they are in its journals.
 *
 * @param deadlineMs After how long the server itself gives up waiting for the majority.
 */
export function collectionOptions(deadlineMs: number): CollectionOptions {
  return {
    useBigInt64: true,
    promoteLongs: true,
    promoteValues: true,
    promoteBuffers: true,
    raw: false,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: deadlineMs },
  };
}

/**
 * Checks options that are spans of time or numbers of things.
 *
 * @throws TypeError for a value that is not an integer from `minimum` to 2^31 − 1.
 */
export function checkOptions(options: Readonly<Record<string, number>>, minimum = 1): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Number.isInteger(value) || value < minimum || value > 2 ** 31 - 1) {
      throw new TypeError(`${name} must be an integer from ${minimum} to 2147483647`);
    }
  }
}

/** Whether a write failed because a unique key, `_id` among them, is taken. */
export function isDuplicateKey(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === 11000;
}
