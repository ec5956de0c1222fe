import type { Connection } from './connection.js';
import { tooMuchUnsent } from './refusal-errors.js';
import type { Refusals } from './refusals.js';
import { unsentBytes } from './socket-bytes.js';

/**
 * Bounds how many bytes of answers wait for clients that do not read them, over all connections. Beyond the bound, cuts the
 * connections whose clients have most left to read.
 *
 * Counts what Node holds for a socket. It holds the whole of a piece until the operating system has accepted all of it. Bytes
 * that several answers share count for each of them, because the server cannot know that.
 */
export class UnsentAnswers {
  readonly #max: number;
  readonly #refusals: Refusals;
  /** The connections that hold bytes, and how many at the last count. Until the next one, each can only hold fewer. */
  readonly #held = new Map<Connection, number>();
  #total = 0;

  /** @param max In bytes. */
  constructor(max: number, refusals: Refusals) {
    this.#max = max;
    this.#refusals = refusals;
  }

  /** Counts what waits on a connection: to be called whenever an answer has been written. */
  count(connection: Connection): void {
    this.#note(connection);
    if (this.#total > this.#max) this.#cutBack();
  }

  /** Forgets a connection that is closed. */
  forget(connection: Connection): void {
    this.#total -= this.#held.get(connection) ?? 0;
    this.#held.delete(connection);
  }

  #note(connection: Connection): void {
    const { destroyed, writableLength } = connection.socket;
    // Almost always, the operating system takes an answer at once.
    if (writableLength === 0 && this.#held.size === 0) return;
    this.forget(connection);
    if (writableLength === 0 || destroyed) return;
    this.#held.set(connection, writableLength);
    this.#total += writableLength;
  }

  #cutBack(): void {
    for (const connection of [...this.#held.keys()]) this.#note(connection);
    while (this.#total > this.#max) {
      let largest: Connection | undefined;
      let most = 0;
      for (const connection of this.#held.keys()) {
        const bytes = unsentBytes(connection.socket);
        if (bytes > most) [largest, most] = [connection, bytes];
      }
      if (largest === undefined) return;
      this.#refusals.cut(largest, tooMuchUnsent());
      this.forget(largest);
    }
  }
}
