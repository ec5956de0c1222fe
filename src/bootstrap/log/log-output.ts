import type { Writable } from 'node:stream';
import { nextTurn } from '../../adapters/http/node/next-turn.js';

/** The default for `maxWaiting`, in bytes. */
export const DEFAULT_MAX_WAITING = 2 * 2 ** 20;

export interface LogOutputOptions {
  /** How many bytes the stream may buffer. Further lines are dropped. @default 2 MiB */
  readonly maxWaiting?: number;
  /** Called with the number of lost lines once all buffered lines are written. @default none */
  readonly onRecovery?: (lines: number) => void;
}

/**
 * Writes the lines of a log to a stream without ever waiting for its reader. The lines of one turn of the event loop are
 * written together. If the reader is slow, the stream buffers them; beyond a limit, lines are dropped and counted. Lines that
 * the stream refuses (closed pipe, full disk) also count as dropped: there is nowhere left to report them.
 */
export class LogOutput {
  readonly #stream: Writable;
  readonly #maxWaiting: number;
  readonly #onRecovery: (lines: number) => void;
  readonly #settle: (error?: Error | null) => void;
  #isCorked = false;
  /** How many lines the stream has accepted, but not yet written. */
  #pending = 0;
  /** Whether the last write failed. The stream may have written a part of it, which ends within a line. */
  #isTorn = false;
  #dropped = 0;
  #reported = 0;
  #onIdle: (() => void)[] = [];

  constructor(
    stream: Writable,
    { maxWaiting = DEFAULT_MAX_WAITING, onRecovery = () => undefined }: LogOutputOptions = {},
  ) {
    this.#stream = stream;
    this.#maxWaiting = maxWaiting;
    this.#onRecovery = onRecovery;
    this.#settle = (error) => this.#written(Boolean(error));
    // Every failed write is also reported to its callback. Without a listener, the event would end the process.
    stream.on('error', () => undefined);
  }

  /** How many lines have been lost so far. */
  get droppedLines(): number {
    return this.#dropped;
  }

  /** Writes a line, which ends with a line feed. */
  write(line: string): void {
    if (this.#stream.writableLength + line.length > this.#maxWaiting) {
      this.#dropped++;
      return;
    }
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#stream.cork();
      nextTurn(() => this.flushSync());
    }
    this.#pending++;
    this.#stream.write(this.#isTorn ? `\n${line}` : line, this.#settle);
  }

  /** Passes the stream's buffer to the operating system, as far as that accepts it. */
  flushSync(): void {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#stream.uncork();
  }

  /** Resolves once every line has been written, or after a time in milliseconds. */
  async flush(timeoutMs: number): Promise<void> {
    this.flushSync();
    if (this.#pending === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #written(isTorn: boolean): void {
    this.#pending--;
    this.#isTorn = isTorn;
    if (isTorn) this.#dropped++;
    if (this.#pending > 0) return;
    const lines = this.#dropped - this.#reported;
    if (lines > 0 && !isTorn) {
      this.#reported = this.#dropped;
      this.#onRecovery(lines);
      this.flushSync();
    }
    if (this.#pending === 0) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
