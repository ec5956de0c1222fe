import { constants } from 'node:os';

/** The signals that end a command. Ctrl-C sends the first one. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** A signal ended a command early. `message` says how far it came, and how to go on. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  /** 128 and the number of the signal, as a shell says it: 130 for Ctrl-C. */
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** Ends what a command reads once a signal has come. What is under way is finished. */
export interface Interruption {
  /** Aborts when a signal comes. Ends a read that waits, such as that of a pipe. */
  readonly signal: AbortSignal;
  /** The same values, until a signal comes. Then it throws. */
  until<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined>;
}

/** Says what an act that has ended early left behind, and how to go on. */
interface EarlyEnd {
  /** After a signal: `after 12 animals: …`. */
  readonly bySignal: () => string;
  /** After a failure: `stored so far: …`; `undefined` if the act left nothing. */
  readonly byFailure: () => string | undefined;
}

/**
 * Runs an act that ends early, but cleanly, at SIGINT and SIGTERM. A second signal ends the process immediately.
 *
 * Rejects as the act does, with what it left behind after the message; with an `InterruptedError` if the act fails after a signal.
 */
export async function interruptible(
  { bySignal, byFailure }: EarlyEnd,
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
    if (received !== undefined) {
      throw new InterruptedError(received, `${stoppedBy(received)} ${bySignal()}`, { cause: error });
    }
    const left = byFailure();
    if (left === undefined || !(error instanceof Error)) throw error;
    throw new Error(`${error.message}\n  ${left}`, { cause: error });
  } finally {
    forget();
  }
}

function stoppedBy(signal: NodeJS.Signals): string {
  return `stopped by ${signal}`;
}
