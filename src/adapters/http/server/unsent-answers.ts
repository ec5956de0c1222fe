import type { Connection } from './connection.js';
import { REFUSALS } from './refusals.js';

/**
 * Bounds how many bytes of answers wait for clients that do not read them, over all connections. Beyond the bound, cuts the
 * connections that hold most.
 *
 * Counts what Node holds for a socket. It holds the whole of a piece until the operating system has accepted all of it. Bytes
 * that several answers share count for each of them, because the server cannot know that.
 */
export class UnsentAnswers {
  readonly #max: number;
  /** The connections that hold bytes, and how many at the last count. */
  readonly #held = new Map<Connection, number>();
  #total = 0;

  /** @param max In bytes. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts what waits on a connection: to be called when an answer has been written. */
  count(connection: Connection): void {
    // Almost always, the operating system accepts an answer immediately.
    if (connection.socket.writableLength === 0 && this.#held.size === 0) return;
    this.#note(connection);
    if (this.#total <= this.#max) return;
    for (const each of [...this.#held.keys()]) this.#note(each);
    while (this.#total > this.#max) this.#cutLargest();
  }

  /** Forgets a connection that is closed. */
  forget(connection: Connection): void {
    this.#total -= this.#held.get(connection) ?? 0;
    this.#held.delete(connection);
  }

  #note(connection: Connection): void {
    this.forget(connection);
    const { destroyed, writableLength } = connection.socket;
    if (destroyed || writableLength === 0) return;
    this.#held.set(connection, writableLength);
    this.#total += writableLength;
    connection.pause();
  }

  #cutLargest(): void {
    const [largest] = [...this.#held].reduce((one, other) => (other[1] > one[1] ? other : one));
    this.forget(largest);
    largest.cut(REFUSALS.unsent);
  }
}
