/**
 * Runs a call until it settles or its signal is aborted, whichever comes first, so that a call ends with its signal even if the
 * catalogue ignores it. Drops the result of a call that was given up.
 *
 * Rejects with the signal's `reason`, without running the call, if the signal is aborted already; otherwise as the call does.
 *
 * @param errorOf The error to reject with if the signal is aborted while the call runs. @default the reason itself
 */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
  errorOf = (reason: Error): Error => reason,
): Promise<T> {
  if (signal === undefined) return call();
  signal.throwIfAborted();
  let hasSettled = false as boolean;
  const running = call();
  const settle = (): void => void (hasSettled = true);
  running.then(settle, settle);
  // A call on a catalogue in memory settles in this microtask. A listener would cost more than the whole call.
  await Promise.resolve();
  if (!hasSettled && !signal.aborted) await settlesOrAborts(running, signal);
  // A catalogue that heeds the signal may have noticed it first.
  if (signal.aborted) throw errorOf(signal.reason as Error);
  return await running;
}

/** Resolves when a call settles or its signal is aborted. */
function settlesOrAborts(running: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      signal.removeEventListener('abort', stop);
      resolve();
    };
    signal.addEventListener('abort', stop);
    running.then(stop, stop);
  });
}
