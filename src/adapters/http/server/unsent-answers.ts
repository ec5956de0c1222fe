import { UNSENT_MAX_BYTES } from '../pipeline/limits.js';
import type { Connection } from './connection.js';
import { REJECTIONS } from './rejections.js';

/** The bound on what the process holds because clients do not read. */
export interface UnsentAnswers {
  /** Counts bytes that have begun to wait. */
  add(bytes: number): void;
  /** Counts again what waits, also of answers that are still being written, and bounds how long it waits. */
  look(): void;
}

/**
 * Bounds how many bytes the process holds because clients do not read: beyond {@link UNSENT_MAX_BYTES} over all connections, cuts those
 * that hold most. A connection on which an answer waits gets `idleTimeout`, in milliseconds, until Node sets another time-out.
 */
export function boundUnsent(connections: ReadonlyMap<unknown, Connection>, idleTimeout: number): UnsentAnswers {
  /** It includes what clients have read since the last look. */
  let total = 0;

  function look(): void {
    const holding = [...connections.values()].filter(({ socket, heldBytes }) => !socket.destroyed && heldBytes > 0);
    total = holding.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    for (const connection of holding) {
      const { timeout = 0, writableLength } = connection.socket;
      if (timeout === 0 && writableLength > 0) connection.socket.setTimeout(idleTimeout);
      // A client that does not read, but sends, would not count as silent.
      connection.pause();
    }
    holding.sort((one, other) => other.heldBytes - one.heldBytes);
    for (const largest of holding) {
      if (total <= UNSENT_MAX_BYTES) return;
      total -= largest.heldBytes;
      largest.cut(REJECTIONS.unsent);
    }
  }

  return {
    look,
    add(bytes) {
      total += bytes;
      if (total > UNSENT_MAX_BYTES) look();
    },
  };
}
