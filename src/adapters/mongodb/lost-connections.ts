import { setTimeout as delay } from 'node:timers/promises';
import { isLostConnection, type Limits } from './deadline.js';

/** How long to wait after a lost connection, in milliseconds. The driver then waits until it has found the server again. */
const PAUSE_MS = 10;

/**
 * Runs a step of an operation, and runs it again until the deadline while it fails because a connection was lost. The driver
 * gives up everything that waits for a connection when one connection of its pool is lost.
 *
 * @param mayRepeat Whether the step, which failed so, may run again.
 */
export function overLostConnections<T>(
  limits: Limits,
  step: () => Promise<T>,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  return step().catch(async (error: unknown) => {
    if (!isLostConnection(error) || !mayRepeat()) throw error;
    await delay(PAUSE_MS);
    limits.signal.throwIfAborted();
    return overLostConnections(limits, step, mayRepeat);
  });
}
