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
  readonly #idleTimeout: number;
  /** The connections that something waited on when they were last looked at. */
  readonly #holding = new Set<Connection>();
  /** How many bytes wait, at most: it includes those that clients have read since all of these were last looked at. */
  #total = 0;

  /**
   * @param max In bytes.
   * @param idleTimeout The time-out of a socket while something waits on it, in milliseconds.
   */
  constructor(max: number, idleTimeout: number) {
    this.#max = max;
    this.#idleTimeout = idleTimeout;
  }

  /** Counts what waits on a connection: to be called once for each answer, when it has been written. */
  count(connection: Connection): void {
    const { writableLength } = connection.socket;
    // Almost always, the operating system accepts an answer immediately.
    if (writableLength === 0) return;
    this.#holding.add(connection);
    this.#total += writableLength;
    if (this.#total > this.#max) this.#bound();
  }

  /** Counts what waits on all connections, also of answers that are still being written. */
  countAll(connections: Iterable<Connection>): void {
    for (const connection of connections) this.#holding.add(connection);
    this.#bound();
  }

  #bound(): void {
    this.#total = 0;
    for (const connection of this.#holding) {
      const { socket } = connection;
      if (socket.destroyed || socket.writableLength === 0) {
        this.#holding.delete(connection);
        continue;
      }
      this.#total += socket.writableLength;
      // Node replaces this time-out when the answer has left.
      if ((socket.timeout ?? 0) === 0) socket.setTimeout(this.#idleTimeout);
      // A client that does not read, but sends, would not count as silent.
      connection.pause();
    }
    if (this.#total <= this.#max) return;
    const largestFirst = [...this.#holding].sort(
      (one, other) => other.socket.writableLength - one.socket.writableLength,
    );
    for (const largest of largestFirst) {
      if (this.#total <= this.#max) return;
      this.#total -= largest.socket.writableLength;
      largest.cut(REFUSALS.unsent);
    }
  }
}
