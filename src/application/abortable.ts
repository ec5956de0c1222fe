import { reasonOf, throwIfAborted } from '../domain/call-options.js';

/** The listeners of each signal. They share one listener of the runtime, because Node 20 warns of more than ten. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Runs a call until it settles or its signal is aborted, whichever comes first, even if the catalogue ignores the signal. Drops
 * the result of a call that was given up.
 *
 * Rejects with the signal's reason, without running the call, if the signal is aborted already; otherwise as the call does.
 *
 * @param errorOf Makes the error to reject with if the signal is aborted while the call runs, from the reason.
 */
export async function abortable<T>(
  signal: AbortSignal | null | undefined,
  call: () => Promise<T>,
  errorOf: (reason: unknown) => Error,
): Promise<T> {
  if (signal === undefined || signal === null) return call();
  throwIfAborted(signal);
  let hasSettled = false as boolean;
  const running = call();
  const settle = (): void => void (hasSettled = true);
  running.then(settle, settle);
  // A call on a catalogue in memory settles in this microtask. A listener would cost more than the whole call.
  await Promise.resolve();
  if (!hasSettled && !signal.aborted) await settlesOrAborts(running, signal);
  // A catalogue that heeds the signal may have noticed it first.
  if (signal.aborted) throw errorOf(reasonOf(signal));
  return running;
}

/** Resolves when a call settles or its signal is aborted. */
function settlesOrAborts(running: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      removeAbortListener(signal, stop);
      resolve();
    };
    addAbortListener(signal, stop);
    running.then(stop, stop);
  });
}

/** Calls a function when a signal is aborted. However many are added, the signal has one listener. */
function addAbortListener(signal: AbortSignal, listener: () => void): void {
  const listeners = waiting.get(signal);
  if (listeners !== undefined) {
    listeners.add(listener);
    return;
  }
  waiting.set(signal, new Set([listener]));
  signal.addEventListener('abort', callListeners);
}

/** Undoes {@link addAbortListener}. */
function removeAbortListener(signal: AbortSignal, listener: () => void): void {
  const listeners = waiting.get(signal);
  listeners?.delete(listener);
  if (listeners?.size !== 0) return;
  waiting.delete(signal);
  signal.removeEventListener('abort', callListeners);
}

function callListeners(this: AbortSignal): void {
  for (const listener of waiting.get(this) ?? []) listener();
}
