/**
 * The last argument of every call of the animal store and of its catalogue. Pass on the object itself: a copy such as
 * `{ ...options }` lacks the signal of an `AbortController`, which may be passed as the options.
 */
export interface CallOptions {
  /** Cancels the call when it is aborted, as with `fetch`. @default none: the call runs to its end */
  readonly signal?: AbortSignal | null | undefined;
}

/** Throws the reason of a signal that is aborted already, on runtimes whose signals have no method for it, too. */
export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted === true) throw reasonOf(signal);
}

/** The reason of an aborted signal; an `AbortError` on runtimes whose signals have none, such as React Native. */
export function reasonOf(signal: AbortSignal): unknown {
  const { reason } = signal as { readonly reason?: unknown };
  return reason ?? Object.assign(new Error('the call was aborted'), { name: 'AbortError' });
}
