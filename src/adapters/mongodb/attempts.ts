import { isAnimalStoreError } from '../../domain/errors.js';

/** How long each attempt but the last may take, in milliseconds: far longer than a healthy database needs. */
const FIRST_ATTEMPTS_MS = [500, 1000];

/**
 * Runs an operation that may safely run more than once in at most three attempts, one after the other, while it rejects with
 * `store_unavailable`. The first ones are short: an attempt whose deadline has passed closes its connection, so one that went dead
 * delays the operation by half a second. The last one has all the time that is left.
 *
 * @param deadlineMs How long all attempts together may take, in milliseconds.
 * @param attempt Runs one attempt, which must end within the milliseconds given to it.
 */
export async function inAttempts<T>(deadlineMs: number, attempt: (limitMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + deadlineMs;
  const leftMs = (): number => Math.max(1, Math.ceil(end - performance.now()));
  for (const limitMs of FIRST_ATTEMPTS_MS) {
    if (leftMs() <= limitMs) break;
    try {
      return await attempt(limitMs);
    } catch (error) {
      if (!isAnimalStoreError(error)) throw error;
    }
  }
  return attempt(leftMs());
}
