import { UNSENT_MAX_BYTES } from '../pipeline/limits.js';
import type { Connection } from './connection.js';
import { REJECTIONS } from './rejections.js';

export interface UnsentResponses {
  add(bytes: number): void;
  /** Counts again what waits, also of responses that are still being written. */
  look(): void;
}

/** Beyond {@link UNSENT_MAX_BYTES} over all connections, cuts those that hold most. */
export function boundUnsent(connections: ReadonlyMap<unknown, Connection>): UnsentResponses {
  /** Includes what clients have read since the last look. */
  let total = 0;

  function look(): void {
    const holding = [...connections.values()].filter(({ socket, heldBytes }) => !socket.destroyed && heldBytes > 0);
    holding.sort((one, other) => other.heldBytes - one.heldBytes);
    total = holding.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
    for (const connection of holding) {
      if (total > UNSENT_MAX_BYTES) {
        total -= connection.heldBytes;
        connection.cut(REJECTIONS.unsent);
      }
      // Otherwise, a client that sends without reading would not count as silent.
      else connection.pause();
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
