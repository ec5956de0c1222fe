import cliProgress, { type SingleBar } from 'cli-progress';
import { constants } from 'node:os';

/** The advice for a command that goes on where it was interrupted. */
export const RUN_AGAIN = 'run the same command again to continue';

/** How long a signal may take to end the process, in milliseconds. */
const LAST_MOMENT_MS = 100;

/** Sent by Ctrl-C, by `kill`, and by a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Shows on a terminal how far a command is, with the rate and, if the size is known, the time left; elsewhere nothing. Until it is
 * stopped, a signal that ends the process removes it from the terminal, and says what to do.
 */
export class Progress {
  readonly #begun = performance.now();
  readonly #size: number;
  readonly #onSignal: (signal: NodeJS.Signals) => void;
  readonly #bar: SingleBar;
  #count = 0;
  #bytes = 0;

  /**
   * @param size The size of the file that is read, in bytes; 0 if it is not known.
   * @param advice What to do after a signal.
   */
  constructor(size: number, advice: string) {
    const measures = '{count}  {rate}/s{left}';
    this.#size = size;
    this.#bar = new cliProgress.SingleBar({
      stream: process.stderr,
      format: size > 0 ? `[{bar}] {percentage} %  ${measures}` : measures,
      barsize: 20,
      barCompleteChar: '#',
      clearOnComplete: true,
      // Otherwise a process that is killed leaves a terminal that does not wrap lines.
      linewrap: true,
    });
    this.#bar.start(size, 0, { count: 0, rate: 0, left: '' });
    this.#onSignal = (signal) => {
      this.stop();
      process.stderr.write(`interrupted: ${advice}\n`, () => {
        // Nothing listens to the signal any more, so it ends the process, unless that is process 1 of a container.
        process.kill(process.pid, signal);
        setTimeout(() => process.exit(128 + constants.signals[signal]), LAST_MOMENT_MS);
      });
    };
    for (const signal of SIGNALS) process.once(signal, this.#onSignal);
  }

  reach(count: number): void {
    this.#count = count;
    const seconds = this.#seconds();
    const left = timeLeft(seconds, this.#bytes, this.#size);
    this.#bar.update(this.#bytes, {
      count,
      rate: Math.round(count / seconds),
      left: left === undefined ? '' : `  ${left} left`,
    });
  }

  /** Passes values on, and counts them. */
  async *count<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const value of values) {
      yield value;
      this.reach(this.#count + 1);
    }
  }

  /** Passes chunks on, and counts their bytes. */
  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      yield chunk;
      this.#bytes += chunk.length;
    }
  }

  get done(): number {
    return this.#count;
  }

  /** The time since the beginning: `12.3 s`. */
  get time(): string {
    return `${this.#seconds().toFixed(1)} s`;
  }

  stop(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
    this.#bar.stop();
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }
}

/**
 * How long the rest takes if it goes on as so far: `45s`, `2m05s` or `3h20m`.
 *
 * @returns `undefined` if nothing was read yet, or everything: what was read last is still being stored.
 */
export function timeLeft(seconds: number, bytes: number, size: number): string | undefined {
  if (bytes <= 0 || bytes >= size) return undefined;
  const left = Math.ceil((seconds * (size - bytes)) / bytes);
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor((left % 3600) / 60)];
  const padded = (count: number): string => String(count).padStart(2, '0');
  if (hours > 0) return `${hours}h${padded(minutes)}m`;
  return minutes > 0 ? `${minutes}m${padded(left % 60)}s` : `${left}s`;
}
