import { clearLine, cursorTo } from 'node:readline';

/** How often the line on the terminal is drawn, in milliseconds. */
const DRAW_EVERY_MS = 100;
const BAR_WIDTH = 20;

/**
 * How far a command is. On a terminal, it shows a line on the standard error stream with a bar, the count, the rate, and the time
 * that is left; elsewhere nothing.
 */
export class Progress {
  readonly #unit: string;
  readonly #size: number | undefined;
  readonly #begun = performance.now();
  #count = 0;
  #bytes = 0;
  #drawn = Number.NEGATIVE_INFINITY;

  /**
   * @param unit What is counted: `records`.
   * @param size The size of the file that is read, in bytes, if it is known.
   */
  constructor(unit: string, size?: number) {
    this.#unit = unit;
    this.#size = size;
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

  /** Tells how many are done. */
  reach(count: number): void {
    this.#count = count;
    if (process.stderr.isTTY) this.#draw();
  }

  /** Clears the line. */
  end(): void {
    if (this.#drawn === Number.NEGATIVE_INFINITY) return;
    this.#drawn = Number.NEGATIVE_INFINITY;
    cursorTo(process.stderr, 0);
    clearLine(process.stderr, 0);
  }

  /** The time since the beginning: `12.3 s`. */
  time(): string {
    return `${this.#seconds().toFixed(1)} s`;
  }

  /** What was done, and in which time: `1200 records in 12.3 s`. */
  summary(): string {
    return `${this.#count} ${this.#unit} in ${this.time()}`;
  }

  #draw(): void {
    const now = performance.now();
    if (now - this.#drawn < DRAW_EVERY_MS) return;
    this.#drawn = now;
    const rate = this.#count / this.#seconds();
    const parts = [`${this.#count} ${this.#unit}`, `${Math.round(rate)}/s`];
    if (this.#size !== undefined && this.#size > 0) {
      const share = Math.min(1, this.#bytes / this.#size);
      const filled = Math.round(share * BAR_WIDTH);
      parts.unshift(`[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}] ${Math.floor(share * 100)} %`);
      if (share > 0) parts.push(`${Math.round((this.#seconds() * (1 - share)) / share)} s left`);
    }
    const line = parts.join('  ').slice(0, process.stderr.columns - 1);
    cursorTo(process.stderr, 0);
    process.stderr.write(line);
    clearLine(process.stderr, 1);
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }
}
