import { ContainerModule } from 'inversify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter } from '../adapters/http/rate-limit.js';
import type { Rate } from './settings/value-types.js';
import { TOKENS } from './tokens.js';

/**
 * Binds a rate limiter in memory: each process counts for itself.
 *
 * @throws TypeError for a rate whose numbers are not positive integers.
 */
export function rateLimiterModule(rate: Rate): ContainerModule {
  for (const [name, value] of Object.entries(rate)) {
    if (!Number.isSafeInteger(value) || value < 1) throw new TypeError(`rateLimit.${name} must be a positive integer`);
  }
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.rateLimiter)
      .toResolvedValue(() => createRateLimiter(rate))
      .inSingletonScope();
  });
}

/** Counts the requests of each key in fixed windows, of which the first starts with the key's first request. */
function createRateLimiter({ requests, perMs }: Rate): RateLimiter {
  const limiter = new RateLimiterMemory({ points: requests, duration: perMs / 1000 });
  return { take: (keyName) => limiter.consume(keyName).then(() => undefined, waitAfter) };
}

/** After how many milliseconds to try again. Throws an error of the limiter itself. */
function waitAfter(refusal: unknown): number {
  if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext;
  throw refusal;
}
