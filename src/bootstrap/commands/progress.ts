import cliProgress, { type SingleBar } from 'cli-progress';

/** Shows on a terminal how far a command is, with the rate and, if the size is known, the time left; elsewhere nothing. */
export class Progress {
  readonly #begun = performance.now();
  readonly #bar: SingleBar;
  #count = 0;
  #bytes = 0;

  /** @param size The size of the file that is read, in bytes; 0 if it is not known. */
  constructor(size: number) {
    const measures = '{count}  {rate}/s';
    this.#bar = new cliProgress.SingleBar({
      stream: process.stderr,
      format: size > 0 ? `[{bar}] {percentage} %  ${measures}  {eta_formatted} left` : measures,
      barsize: 20,
      barCompleteChar: '#',
      etaBuffer: 100,
      clearOnComplete: true,
      // Otherwise a process that is killed leaves a terminal that does not wrap lines.
      linewrap: true,
    });
    this.#bar.start(size, 0, { count: 0, rate: 0 });
  }

  /** Shows that so many are done. */
  reach(count: number): void {
    this.#count = count;
    this.#bar.update(this.#bytes, { count, rate: Math.round(count / this.#seconds()) });
  }

  /** The same values, which are counted. */
  async *count<T>(values: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    for await (const value of values) {
      yield value;
      this.reach(this.#count + 1);
    }
  }

  /** The same chunks, whose bytes are counted. */
  async *read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      yield chunk;
      this.#bytes += chunk.length;
    }
  }

  /** How many are done. */
  get done(): number {
    return this.#count;
  }

  /** The time since the beginning: `12.3 s`. */
  get time(): string {
    return `${this.#seconds().toFixed(1)} s`;
  }

  /** Removes it from the terminal. */
  stop(): void {
    this.#bar.stop();
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }
}
