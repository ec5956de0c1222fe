import { reasonOf, throwIfAborted } from '../domain/call-options.js';

/** The listeners of each signal. They share one listener of the runtime, because Node 20 warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs a call until it settles or its signal is aborted, whichever comes first, even if what it waits for ignores the signal. Drops
 * the result of a call that was given up. Once this has settled, nothing listens to the signal.
 *
 * Rejects with the signal's reason, without running the call, if the signal is aborted already; otherwise as the call does.
 *
 * @param errorOf Makes what to reject with if the signal is aborted while the call runs, from the reason. @default the reason
 * @example
 * await abortable(options?.signal, async () => pool.query(text));
 */
export async function abortable<T>(
  signal: AbortSignal | null | undefined,
  call: () => Promise<T>,
  errorOf = (reason: unknown): unknown => reason,
): Promise<T> {
  if (signal === undefined || signal === null) return call();
  throwIfAborted(signal);
  const running = call();
  await new Promise<void>((resolve) => {
    const settle = (): void => {
      stop();
      resolve();
    };
    const stop = onAbort(signal, settle);
    running.then(settle, settle);
    // The call itself may have aborted the signal.
    if (signal.aborted) settle();
  });
  // A catalogue that listens to the signal may have rejected first.
  if (signal.aborted) throw errorOf(reasonOf(signal));
  return running;
}

/** The returned function undoes it. */
function onAbort(signal: AbortSignal, listener: () => void): () => void {
  let listeners = waiting.get(signal);
  if (listeners === undefined) {
    waiting.set(signal, (listeners = new Set()));
    signal.addEventListener('abort', callListeners);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    waiting.delete(signal);
    signal.removeEventListener('abort', callListeners);
  };
}

function callListeners(this: AbortSignal): void {
  for (const listener of waiting.get(this) ?? []) listener();
}
