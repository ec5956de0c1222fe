import type { Writable } from 'node:stream';

/** The options of a {@link LogOutput}. */
export interface LogOutputOptions {
  /**
   * How much may wait while earlier lines are being written, in UTF-16 code units. Lines beyond it are dropped. At most
   * twice as much is kept: what waits, and what is being written.
   * @default 2 MiB
   */
  readonly maxWaiting?: number;
  /** Is called with the number of lines lost once lines can be written again. @default nothing happens */
  readonly onRecovery?: (lines: number) => void;
}

/**
 * Writes the lines of a log to a stream without ever waiting for its reader. The lines of one turn of the event loop are
 * written at once. While the reader is slow, lines wait; beyond a limit they are dropped and counted. Lines that the stream
 * refuses (closed pipe, full disk) are counted as dropped, too: there is nowhere else to report them.
 */
export class LogOutput {
  readonly #stream: Writable;
  readonly #maxWaiting: number;
  readonly #onRecovery: (lines: number) => void;
  /** Lines that the stream has not been given yet. */
  #waiting = '';
  /** Whether the stream is still writing what it was given. */
  #isWriting = false;
  /** Whether the last write failed. The stream may have taken a part of it, which ends within a line. */
  #isTorn = false;
  #isScheduled = false;
  #dropped = 0;
  #reported = 0;
  #onIdle: (() => void)[] = [];

  constructor(stream: Writable, { maxWaiting = 2 * 2 ** 20, onRecovery = () => undefined }: LogOutputOptions = {}) {
    this.#stream = stream;
    this.#maxWaiting = maxWaiting;
    this.#onRecovery = onRecovery;
    // Every failed write is also reported to its callback. Without a listener, the event would end the process.
    stream.on('error', () => undefined);
  }

  /** How many lines have been lost so far. */
  get droppedLines(): number {
    return this.#dropped;
  }

  /** Takes a line, which ends with a line feed. */
  write(line: string): void {
    if (this.#waiting.length + line.length > this.#maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting += line;
    if (this.#isScheduled || this.#isWriting) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  /** Resolves once every line has been written, or after a time in milliseconds. */
  async flush(timeoutMs: number): Promise<void> {
    this.#send();
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#onIdle.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Gives the stream every line, for the end of the process: nothing runs after this. The stream writes what it can. */
  flushSync(): void {
    if (this.#waiting !== '') this.#stream.write(this.#takeWaiting());
  }

  /** Gives the stream the lines that wait, unless it is busy with earlier ones. */
  #send(): void {
    if (this.#isWriting || this.#waiting === '') return;
    this.#isWriting = true;
    const lines = countLines(this.#waiting);
    this.#stream.write(this.#takeWaiting(), (error) => this.#settle(lines, error));
  }

  /** The lines that wait, on a line of their own. */
  #takeWaiting(): string {
    const text = this.#isTorn ? `\n${this.#waiting}` : this.#waiting;
    this.#waiting = '';
    return text;
  }

  #settle(lines: number, error: Error | null | undefined): void {
    this.#isWriting = false;
    this.#isTorn = Boolean(error);
    this.#send();
    if (error) this.#dropped += lines;
    else this.#reportDropped();
    if (this.#isIdle()) for (const resolve of this.#onIdle.splice(0)) resolve();
  }

  #isIdle(): boolean {
    return !this.#isWriting && this.#waiting === '';
  }

  #reportDropped(): void {
    const lines = this.#dropped - this.#reported;
    if (lines === 0) return;
    this.#reported = this.#dropped;
    this.#onRecovery(lines);
  }
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}
