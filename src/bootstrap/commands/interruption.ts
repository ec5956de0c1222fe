/** The signals that end a command, of which Ctrl-C sends the first one. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Ends what a command reads once a signal has asked it to stop, so that it finishes what is under way. */
export interface Interruption {
  /** The same values, until a signal comes. Then it throws an error that says how to go on. */
  until<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
}

/**
 * Runs an act that ends early, but cleanly, at SIGINT and SIGTERM. A second signal ends the process at once.
 *
 * @param goOn Says how to go on.
 */
export async function interruptible(goOn: string, act: (interruption: Interruption) => Promise<void>): Promise<void> {
  let isStopping = false;
  const stop = (): void => {
    isStopping = true;
    forget();
  };
  const forget = (): void => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    await act({
      async *until(values) {
        for await (const value of values) {
          if (isStopping) throw new Error(`stopped: ${goOn}`);
          yield value;
        }
      },
    });
  } finally {
    forget();
  }
}
