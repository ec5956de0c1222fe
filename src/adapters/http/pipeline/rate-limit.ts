import { ERRORS, HttpError } from './errors.js';
import type { Guard } from './operation.js';

/** Decides whether a client may make a request now. */
export interface RateLimiter {
  /**
   * Counts a request. Resolves to `undefined` if the request may be answered, otherwise to the time to wait before a retry, in
   * milliseconds. If this rejects, the service answers 500.
   *
   * @param keyName The name that the API key was issued to. Keys of one name share a limit, so rotating a key does not raise
   * it.
   */
  consume(keyName: string): Promise<number | undefined>;
}

export function rateLimit(limiter: RateLimiter): Guard {
  return async ({ principal }) => {
    const waitMs = await limiter.consume(principal?.name ?? '');
    if (waitMs === undefined) return;
    const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
    throw new HttpError('too_many_requests', ERRORS.too_many_requests.message, ['Retry-After', seconds], 'rate');
  };
}
