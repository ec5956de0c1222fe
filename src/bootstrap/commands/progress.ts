import cliProgress, { type SingleBar } from 'cli-progress';
import { counted } from './counted.js';

/** How often the line on the terminal is drawn, in milliseconds. */
const DRAW_EVERY_MS = 100;

/** From how many of the last drawn lines the time left is estimated: those of 10 seconds. */
const ESTIMATED_OVER = 100;

interface ProgressOptions {
  /** The size of the file that is read, in bytes, if it is known. Without it, the line has neither a bar nor the time left. */
  readonly size?: number | undefined;
  /** Whether the command writes its result to the standard output, which may be the same terminal. */
  readonly isOutput?: boolean;
}

/**
 * How far a command is. On a terminal, it shows a line on the standard error stream with a bar, the count, the rate, and the time
 * that is left; elsewhere nothing.
 */
export class Progress {
  readonly #unit: string;
  readonly #size: number;
  readonly #begun = performance.now();
  #timer: NodeJS.Timeout | undefined;
  readonly #bar: SingleBar | undefined;
  #count = 0;
  #bytes = 0;

  /** @param unit What is counted: `record`. */
  constructor(unit: string, { size = 0, isOutput = false }: ProgressOptions = {}) {
    this.#unit = unit;
    this.#size = size;
    if (!process.stderr.isTTY || (isOutput && process.stdout.isTTY)) return;
    const left = size > 0 ? '[{bar}] {percentage} %  {count}  {rate}/s  {eta_formatted}' : '{count}  {rate}/s';
    this.#bar = new cliProgress.SingleBar({
      stream: process.stderr,
      format: left,
      formatTime: leftText,
      barsize: 20,
      barCompleteChar: '#',
      barIncompleteChar: '-',
      etaBuffer: ESTIMATED_OVER,
      clearOnComplete: true,
      // Otherwise a process that is killed leaves a terminal that does not wrap lines.
      linewrap: true,
    });
  }

  /** How many are done. */
  get done(): string {
    return counted(this.#count, this.#unit);
  }

  /** How many are done if it ended by an error, after which some of the next ones may be done, too. */
  get atLeast(): string {
    return this.#count === 0 ? `perhaps some ${this.#unit}s` : `at least ${this.done}`;
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
    if (this.#bar !== undefined && this.#timer === undefined) this.#show(this.#bar);
  }

  /** Clears the line. It is drawn again, where the cursor is then, when more is reached. */
  clear(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#bar?.stop();
  }

  /** The time since the beginning: `12.3 s`. */
  time(): string {
    return `${this.#seconds().toFixed(1)} s`;
  }

  #show(bar: SingleBar): void {
    const payload = (): object => ({ count: this.done, rate: Math.round(this.#count / this.#seconds()) });
    bar.start(this.#size, this.#bytes, payload());
    this.#timer = setInterval(() => bar.update(this.#bytes, payload()), DRAW_EVERY_MS);
  }

  #seconds(): number {
    return (performance.now() - this.#begun) / 1000;
  }
}

/** The time left in words, from whole seconds. Empty while it cannot be estimated yet: cli-progress then gives a text. */
export function leftText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 100) return `${seconds} s left`;
  return seconds < 6000 ? `${Math.round(seconds / 60)} min left` : `${Math.round(seconds / 3600)} h left`;
}
