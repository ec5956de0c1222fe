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
    let isRunning = true;
    const abort = (): void => reject(errorOf(signal.reason as Error));
    const settle = (settleAsCall: () => void): void => {
      isRunning = false;
      signal.removeEventListener('abort', abort);
      // A catalogue that heeds the signal may have noticed it first.
      if (signal.aborted) abort();
      else settleAsCall();
    };
    const fail = (error: Error): void => settle(() => reject(error));
    call().then((result) => settle(() => resolve(result)), fail);
    // A call on a catalogue in memory has settled by then. A listener would cost more than the whole call.
    queueMicrotask(() => {
      if (signal.aborted) abort();
      else if (isRunning) signal.addEventListener('abort', abort, { once: true });
    });
  });
}
