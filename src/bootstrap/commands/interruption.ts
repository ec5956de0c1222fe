import { InterruptedError } from './interrupted-error.js';

/** The signals that end a command. Ctrl-C sends the first one. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ends what a command reads once a signal has come. What is under way is finished. */
export interface Interruption {
  /** Aborts when a signal comes. Ends a read that waits, such as that of a pipe. */
  readonly signal: AbortSignal;
  /** The same values, until a signal comes. Then it throws. */
  until<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
}

/**
 * Runs an act that ends early, but cleanly, at SIGINT and SIGTERM. A second signal ends the process at once.
 *
 * Rejects as the act does; with an `InterruptedError` if the act fails after a signal.
 *
 * @param howFar Says how far the act came and how to go on, once it has ended: `after 12 animals: …`.
 */
export async function interruptible(
  howFar: () => string,
  act: (interruption: Interruption) => Promise<void>,
): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  let received: NodeJS.Signals | undefined;
  const stop = (name: NodeJS.Signals): void => {
    received = name;
    forget();
    controller.abort(new Error(stoppedBy(name)));
  };
  const forget = (): void => {
    for (const name of SIGNALS) process.off(name, stop);
  };
  for (const name of SIGNALS) process.on(name, stop);
  try {
    await act({
      signal,
      async *until(values) {
        for await (const value of values) {
          signal.throwIfAborted();
          yield value;
        }
      },
    });
  } catch (error) {
    if (received === undefined) throw error;
    throw new InterruptedError(received, `${stoppedBy(received)} ${howFar()}`, { cause: error });
  } finally {
    forget();
  }
}

function stoppedBy(signal: NodeJS.Signals): string {
  return `stopped by ${signal}`;
}
