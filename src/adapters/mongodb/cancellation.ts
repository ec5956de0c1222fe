/**
 * What the driver needs of an `AbortSignal`, and no more. The driver listens to the signal of an operation at each of its
 * steps: while it looks for a server, waits for a connection, and waits for the answer. Node's own signals make that cost
 * about as much CPU time as all the rest of an operation (ADR 0075).
 *
 * The driver calls these members alone, which it does not document. Tests fail if it heeds them no longer.
 */
export class Cancellation implements Pick<AbortSignal, 'aborted' | 'throwIfAborted'> {
  /** Why the operation was cancelled. */
  reason: unknown;
  #isCancelled = false;
  /** Seldom more than one at a time: an array of these costs less than a `Set`. */
  #listeners: ((this: AbortSignal) => void)[] = [];

  /** Itself, as the driver's types want it. */
  get signal(): AbortSignal {
    return this as unknown as AbortSignal;
  }

  get aborted(): boolean {
    return this.#isCancelled;
  }

  /** @throws the reason, if the operation was cancelled. */
  throwIfAborted(): void {
    if (this.#isCancelled) throw this.reason;
  }

  /** Calls the listener once, with this as its `this`, when the operation is cancelled. */
  addEventListener(_type: 'abort', listener: (this: AbortSignal) => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: (this: AbortSignal) => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }

  /** Cancels the operation: the driver ends it with this reason, and closes the connection that waits for its answer. */
  cancel(reason: Error): void {
    this.#isCancelled = true;
    this.reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener.call(this.signal);
  }
}
