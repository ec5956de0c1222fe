import { Long } from 'mongodb';
import { toInt64 } from '../../domain/int64.js';

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

/** An integer of a document: an int64, an int32 or a whole double. @returns `undefined` for anything else. */
export function int64Of(value: unknown): bigint | undefined {
  return toInt64(Long.isLong(value) ? value.toBigInt() : value);
}
