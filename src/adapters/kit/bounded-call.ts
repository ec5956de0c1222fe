import { throwIfAborted, type CallOptions } from '../../domain/call-options.js';
import { AnimalStoreError, isAnimalStoreError } from '../../domain/errors.js';

/** The bounds of a call on a database, the caller's signal among them. */
export interface CallBounds extends CallOptions {
  /** After how many milliseconds without a result the call rejects: an integer from 1 to 2^31 − 1. */
  readonly deadlineMs: number;
  /** Whether an error means that the database did not answer. */
  readonly isUnavailable: (error: unknown) => boolean;
}

/** A call under way. */
export interface BoundedCall extends CallOptions {
  /** Whether nobody waits for the call any more: it has settled, or its deadline has passed. */
  readonly isOver: boolean;
  /** Why the call has no result yet. If its deadline passes, this is the cause of its error. */
  obstacle?: unknown;
}

/**
 * Runs a call on a database, within bounds. Rejects
 *
 * - with the signal's reason, if the signal is aborted before the call begins, or by the time the call rejects;
 * - with `store_unavailable`, if the deadline passes, or if the call rejects with an error that `isUnavailable`, which is the `cause`;
 * - otherwise with the call's own error. An `AnimalStoreError` of its own passes, too.
 *
 * Only the caller stops waiting at the deadline: what `run` has begun goes on, and learns from `call.isOver` that it is in vain.
 * Nothing here listens to the signal. If your driver takes a signal, pass it on, so that a query ends when its caller leaves.
 *
 * @example
 * const rows = await boundedCall({ deadlineMs: 5000, isUnavailable, signal }, async () => query(sql));
 */
export async function boundedCall<T>(
  { deadlineMs, isUnavailable, signal }: CallBounds,
  run: (call: BoundedCall) => Promise<T>,
): Promise<T> {
  throwIfAborted(signal);
  const call: { -readonly [Member in keyof BoundedCall]: BoundedCall[Member] } = { signal, isOver: false };
  try {
    return await inTime(run(call), deadlineMs, () => {
      throw storeUnavailable(call.obstacle ?? new Error(`no answer within ${deadlineMs} ms`));
    });
  } catch (error) {
    throwIfAborted(signal);
    throw isUnavailable(error) && !isAnimalStoreError(error) ? storeUnavailable(error) : error;
  } finally {
    call.isOver = true;
  }
}

/** Settles as a promise does, or as `onLate` ends if the promise takes longer than `ms` milliseconds. */
export async function inTime<T, L>(promise: Promise<T>, ms: number, onLate: () => L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms))).then(onLate);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function storeUnavailable(cause: unknown): AnimalStoreError {
  return new AnimalStoreError('store_unavailable', 'the store did not answer in time', { cause });
}
