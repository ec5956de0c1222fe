import { isAnimalStoreError } from '../../domain/errors.js';

/** After how many milliseconds without an answer an attempt is late, so that another one starts beside it. */
const LATE_MS = 500;
const ATTEMPTS = 3;

/**
 * Runs an operation that may safely run more than once, and runs it again while its answer is late: a "hedged request".
 * A connection that went dead keeps the attempt that waits on it, so the next attempt takes another connection. If an
 * attempt rejects with `store_unavailable`, the next one starts at once.
 *
 * Resolves to the first answer. Rejects with the error of the last attempt once every attempt has failed, or with the
 * first error that is not `store_unavailable`. An attempt that is still under way then goes on until its own deadline.
 *
 * @param deadlineMs How long all attempts together may take, in milliseconds.
 * @param attempt Starts one attempt, which must end within the milliseconds given to it.
 */
export async function hedged<T>(deadlineMs: number, attempt: (remainingMs: number) => Promise<T>): Promise<T> {
  const end = performance.now() + deadlineMs;
  return new Promise((resolve) => {
    let started = 0;
    let failed = 0;
    let isSettled = false;
    let timer: NodeJS.Timeout | undefined;

    function settleAs(running: Promise<T>): void {
      isSettled = true;
      clearTimeout(timer);
      resolve(running);
    }

    function start(): void {
      clearTimeout(timer);
      const remainingMs = Math.ceil(end - performance.now());
      if (isSettled || started === ATTEMPTS || remainingMs < 1) return;
      started++;
      timer = setTimeout(start, LATE_MS);
      const running = attempt(remainingMs);
      running.then(
        () => settleAs(running),
        (error: unknown) => {
          failed++;
          if (isAnimalStoreError(error)) start();
          if (failed === started || !isAnimalStoreError(error)) settleAs(running);
        },
      );
    }

    start();
  });
}
