import { setTimeout as delay } from 'node:timers/promises';
import { isAnimalStoreError } from '../../domain/errors.js';

/** How long to wait for a server that does not answer. */
export interface Patience {
  /** In milliseconds. @default 30000 */
  readonly timeoutMs?: number | undefined;
  /** Called once, with the reason, if the first attempt fails and another follows. It must not throw. */
  readonly onWait?: ((reason: string) => void) | undefined;
}

/** The server could not be reached. `message` says why; it holds no password. */
export class MongoConnectionError extends Error {
  override readonly name = 'MongoConnectionError';
}

const DEFAULT_TIMEOUT_MS = 30_000;
const PAUSE_MS = 250;
const SHORTEST_ATTEMPT_MS = 500;

/**
 * Runs an operation that may safely run more than once, and runs it again while it rejects with `store_unavailable`.
 *
 * Rejects with a {@link MongoConnectionError} if none has succeeded within `timeoutMs`, and with any other error at once.
 *
 * @param attempt Must end within the milliseconds given to it, or soon after.
 */
export async function patiently<T>(
  { timeoutMs = DEFAULT_TIMEOUT_MS, onWait }: Patience,
  attempt: (remainingMs: number) => Promise<T>,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  let hasWaited = false;
  for (;;) {
    try {
      return await attempt(Math.ceil(Math.max(SHORTEST_ATTEMPT_MS, end - performance.now())));
    } catch (error) {
      if (!isAnimalStoreError(error) || error.code !== 'store_unavailable') throw error;
      const reason = causesOf(error).at(-1)?.message ?? error.message;
      if (performance.now() >= end) {
        const message = `the MongoDB server did not answer within ${timeoutMs / 1000} s: ${reason}`;
        throw new MongoConnectionError(message, { cause: error });
      }
      if (!hasWaited) onWait?.(reason);
      hasWaited = true;
    }
    await delay(PAUSE_MS);
  }
}

/** An error and its causes, down to the first one. */
export function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
