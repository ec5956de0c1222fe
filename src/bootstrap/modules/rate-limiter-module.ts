import { ContainerModule } from 'inversify';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiter } from '../../adapters/http/pipeline/rate-limit.js';
import { TIMER_MAX_MS, type Rate } from '../settings/values.js';
import { TOKENS } from '../tokens.js';

/** Each process counts for itself. @throws TypeError for a rate whose numbers are not integers from 1 to 2^31 − 1. */
export function rateLimiterModule(rate: Rate): ContainerModule {
  for (const name of ['requests', 'perMs'] as const) {
    const isValid = Number.isSafeInteger(rate[name]) && rate[name] >= 1 && rate[name] <= TIMER_MAX_MS;
    if (!isValid) throw new TypeError(`rateLimit.${name} must be an integer from 1 to ${TIMER_MAX_MS}`);
  }
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.rateLimiter)
      .toResolvedValue(() => createRateLimiter(rate))
      .inSingletonScope();
  });
}

/** Fixed windows: the first one starts with the key's first request. */
function createRateLimiter({ requests, perMs }: Rate): RateLimiter {
  // A prefix would be concatenated with the name, and hashed, for each request.
  const limiter = new RateLimiterMemory({ points: requests, duration: perMs / 1000, keyPrefix: '' });

  /** In milliseconds. Throws errors of the limiter itself. */
  function waitAfter(refusal: unknown): number {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    // The limiter reads the system's clock, which may have been set back. A timer ends each window at the latest.
    return Math.min(refusal.msBeforeNext, perMs);
  }

  return { consume: (keyName) => limiter.consume(keyName).then(() => undefined, waitAfter) };
}
