/** The last argument of every call of the animal store and of its catalogue. */
export interface CallOptions {
  /** Cancels the call when it is aborted, as with `fetch`. @default none: the call runs to its end */
  readonly signal?: AbortSignal | undefined;
}
