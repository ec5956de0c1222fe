import { storeUnavailable, unavailableIfNoAnswer } from './unavailable-errors.js';

/** How long an operation on the database may take, in milliseconds, if nothing else is configured. */
export const DEFAULT_DEADLINE_MS = 5000;

/** How long a call waits for the look-up of its API key, in milliseconds, if nothing else is configured. */
export const DEFAULT_VERIFY_DEADLINE_MS = 2000;

/** The part of a deadline after which the server and the driver give up, so that their answer arrives before ours. */
const EARLY = 0.9;

/** What bounds an operation. */
export interface Limits {
  /** Aborted when the deadline has passed. */
  readonly signal: AbortSignal;
  /** The options of a call of the driver that starts now. @throws if the deadline has passed: nothing may be sent then. */
  options(): CallLimits;
}

/** What bounds one call of the driver, as a part of its options. */
export interface CallLimits {
  /** After how many milliseconds the server gives up: a little before the client does. */
  readonly maxTimeMS: number;
  /** Ends the call when the deadline has passed. The driver heeds it in every operation. */
  readonly signal: AbortSignal;
}

/** The time, in milliseconds, after which the server or the driver gives up an operation with this deadline. */
export function beforeDeadline(deadlineMs: number): number {
  return Math.max(1, Math.floor(deadlineMs * EARLY));
}

/**
 * Runs one operation on the database, and ends it when its deadline has passed.
 *
 * Rejects with an `AnimalStoreError` `store_unavailable`, with the original as its `cause`, if the database gave no answer;
 * with the original error, untouched, for everything else.
 */
export function withDeadline<T>(deadlineMs: number, operate: (limits: Limits) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = performance.now() + deadlineMs;
    const controller = new AbortController();
    const { signal } = controller;
    const timer = setTimeout(() => {
      const error = storeUnavailable(new Error(`no answer within ${deadlineMs} ms`));
      controller.abort(error);
      reject(error);
    }, deadlineMs);
    // No getter: with one, each of these objects has a hidden class of its own, which the garbage collector then finds.
    const options = (): CallLimits => {
      signal.throwIfAborted();
      return { maxTimeMS: beforeDeadline(end - performance.now()), signal };
    };
    operate({ signal, options }).then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(unavailableIfNoAnswer(error));
      },
    );
  });
}
