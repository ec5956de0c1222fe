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
  readonly #connections: ReadonlyMap<unknown, Connection>;
  readonly #max: number;
  /** How many bytes wait, at most: it includes those that clients have read since all connections were last looked at. */
  #total = 0;

  /** @param max In bytes. */
  constructor(connections: ReadonlyMap<unknown, Connection>, max: number) {
    this.#connections = connections;
    this.#max = max;
  }

  /** Counts what waits on a connection: to be called once for each answer, when it has been written. */
  count({ socket }: Connection): void {
    // Almost always, the operating system accepts an answer immediately, and this adds nothing.
    this.#total += socket.writableLength;
    if (this.#total > this.#max) this.countAll();
  }

  /** Counts what waits on all connections, also of answers that are still being written. */
  countAll(): void {
    const holding = [...this.#connections.values()].filter(
      ({ socket }) => socket.writableLength > 0 && !socket.destroyed,
    );
    this.#total = 0;
    for (const connection of holding) {
      this.#total += connection.socket.writableLength;
      // A client that does not read, but sends, would not count as silent.
      connection.pause();
    }
    if (this.#total <= this.#max) return;
    holding.sort((one, other) => other.socket.writableLength - one.socket.writableLength);
    for (const largest of holding) {
      if (this.#total <= this.#max) return;
      this.#total -= largest.socket.writableLength;
      largest.cut(REFUSALS.unsent);
    }
  }
}
