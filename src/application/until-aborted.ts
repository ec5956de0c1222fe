/**
 * Runs a call until it settles or its signal is aborted, whichever comes first, so that a call ends with its signal even if the
 * catalogue ignores it. Drops the result of a call that was given up.
 *
 * Rejects with the signal's `reason`, without running the call, if the signal is aborted already; otherwise as the call does.
 *
 * @param errorOf The error to reject with if the signal is aborted while the call runs. @default the reason itself
 */
export function untilAborted<T>(
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  errorOf = (reason: Error): Error => reason,
): Promise<T> {
  if (signal === undefined) return call();
  return new Promise<T>((resolve, reject) => {
    signal.throwIfAborted();
    // Before the listener, which would stay if the catalogue threw.
    const running = call();
    const abort = (): void => {
      signal.removeEventListener('abort', abort);
      reject(errorOf(signal.reason as Error));
    };
    const fail = (error: Error): void => {
      signal.removeEventListener('abort', abort);
      // A catalogue that heeds the signal may notice it first.
      reject(signal.aborted && error === signal.reason ? errorOf(error) : error);
    };
    signal.addEventListener('abort', abort);
    running.then((result) => {
      signal.removeEventListener('abort', abort);
      resolve(result);
    }, fail);
  });
}
