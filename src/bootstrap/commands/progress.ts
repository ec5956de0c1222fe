import cliProgress, { type SingleBar } from 'cli-progress';
import { constants } from 'node:os';

export const RUN_AGAIN = 'run the same command again to continue';

/** How long a signal may take to end the process. */
const LAST_MOMENT_MS = 100;

/** Sent by Ctrl-C, by `kill`, and by a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Shows nothing if there is no terminal. Until it is stopped, a signal that ends the process removes it and prints the advice. */
export class Progress {
  readonly #begun = performance.now();
  readonly #size: number;
  readonly #onSignal: (signal: NodeJS.Signals) => void;
  readonly #bar: SingleBar;
  #count = 0;
  #bytes = 0;

  /** @param size In bytes; 0 if it is not known. */
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

  async *count<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const value of values) {
      yield value;
      this.reach(this.#count + 1);
    }
  }

  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      yield chunk;
      this.#bytes += chunk.length;
    }
  }

  get done(): number {
    return this.#count;
  }

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

/** `undefined` if nothing was read yet, or everything: what was read last is still being stored. */
export function timeLeft(seconds: number, bytes: number, size: number): string | undefined {
  if (bytes <= 0 || bytes >= size) return undefined;
  const left = Math.ceil((seconds * (size - bytes)) / bytes);
  const [hours, minutes] = [Math.floor(left / 3600), Math.floor((left % 3600) / 60)];
  const padded = (count: number): string => String(count).padStart(2, '0');
  if (hours > 0) return `${hours}h${padded(minutes)}m`;
  return minutes > 0 ? `${minutes}m${padded(left % 60)}s` : `${left}s`;
}
