import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers';

/** Taken when this module is loaded, as test runners replace the global, and the member of `node:timers`, by a fake. */
const nextTurn = setImmediate;

/** The options of a {@link LogOutput}. */
export interface LogOutputOptions {
  /** How much the stream may hold, in its own units: bytes. Lines beyond it are dropped. @default 2 MiB */
  readonly maxWaiting?: number;
  /** Is called with the number of lines lost once all that waited is written. @default nothing happens */
  readonly onRecovery?: (lines: number) => void;
}

/**
 * Writes the lines of a log to a stream without ever waiting for its reader. The lines of one turn of the event loop are
 * written together. While the reader is slow, the stream holds them; beyond a limit, lines are dropped and counted. Lines that
 * the stream refuses (closed pipe, full disk) are counted as dropped, too: there is nowhere else to report them.
 */
export class LogOutput {
  readonly #stream: Writable;
  readonly #maxWaiting: number;
  readonly #onRecovery: (lines: number) => void;
  readonly #settle: (error?: Error | null) => void;
  #isCorked = false;
  /** How many lines the stream has taken, but not written yet. */
  #pending = 0;
  /** Whether the last write failed. The stream may have taken a part of it, which ends within a line. */
  #isTorn = false;
  #dropped = 0;
  #reported = 0;
  #onIdle: (() => void)[] = [];

  constructor(stream: Writable, { maxWaiting = 2 * 2 ** 20, onRecovery = () => undefined }: LogOutputOptions = {}) {
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

  /** Takes a line, which ends with a line feed. */
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

  /** Gives what the stream holds to the operating system, as far as that takes it. */
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
