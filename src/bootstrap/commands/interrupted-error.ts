import { constants } from 'node:os';

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
