import type { CollectionOptions } from 'mongodb';
import { READ_OPTIONS } from './bson-reading.js';
import { beforeDeadline } from './operation.js';

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
