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
  readonly #idleTimeout: number;
  /** How many bytes wait, at most: it includes those that clients have read since the last look at all connections. */
  #total = 0;

  /**
   * @param connections All open connections.
   * @param max In bytes.
   * @param idleTimeout The time-out of a socket while something waits on it, in milliseconds.
   */
  constructor(connections: ReadonlyMap<unknown, Connection>, max: number, idleTimeout: number) {
    this.#connections = connections;
    this.#max = max;
    this.#idleTimeout = idleTimeout;
  }

  /** Counts what waits on a connection: to be called once for each answer, when it has been written. */
  count({ socket }: Connection): void {
    // Almost always nothing, because the operating system has accepted the answer immediately.
    this.#total += socket.writableLength;
    if (this.#total > this.#max) this.look();
  }

  /** Looks at all connections: counts what waits, also of answers that are still being written, and bounds how long it waits. */
  look(): void {
    const holding = [...this.#connections.values()].filter(
      ({ socket }) => !socket.destroyed && socket.writableLength > 0,
    );
    this.#total = 0;
    for (const connection of holding) {
      const { socket } = connection;
      this.#total += socket.writableLength;
      // Node replaces this time-out when the answer has left.
      if ((socket.timeout ?? 0) === 0) socket.setTimeout(this.#idleTimeout);
      // A client that does not read, but sends, would not count as silent.
      connection.pause();
    }
    holding.sort((one, other) => other.socket.writableLength - one.socket.writableLength);
    for (const largest of holding) {
      if (this.#total <= this.#max) return;
      this.#total -= largest.socket.writableLength;
      largest.cut(REFUSALS.unsent);
    }
  }
}
