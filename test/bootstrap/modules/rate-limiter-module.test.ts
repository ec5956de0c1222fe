import { expect } from 'chai';
import { Container } from 'inversify';
import type { RateLimiter } from '../../../src/adapters/http/pipeline/rate-limit.js';
import { rateLimiterModule } from '../../../src/bootstrap/modules/rate-limiter-module.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';

const MINUTE = 60_000;

describe('the rate limiter in memory', () => {
  const { now } = Date;

  afterEach(() => {
    Date.now = now;
  });

  it('accepts rates up to the longest time of a timer, and no others', () => {
    const longest = 2 ** 31 - 1;
    rateLimiterModule({ requests: longest, perMs: longest });
    rateLimiterModule({ requests: 1, perMs: 1 });
    for (const perMs of [0, 0.5, longest + 1]) {
      expect(() => rateLimiterModule({ requests: 1, perMs })).to.throw(
        TypeError,
        /^rateLimit\.perMs must be an integer from 1 to 2147483647$/,
      );
    }
  });

  /** A limiter of a request a minute for each key. */
  const createLimiter = async (): Promise<RateLimiter> => {
    const container = new Container();
    container.load(rateLimiterModule({ requests: 1, perMs: MINUTE }));
    return container.getAsync(TOKENS.rateLimiter);
  };

  it('asks to wait for the rest of the window of the key', async () => {
    const limiter = await createLimiter();
    const start = now();
    Date.now = () => start;
    expect(await limiter.consume('anna')).to.equal(undefined);
    Date.now = () => start + 20_000;
    expect(await limiter.consume('anna')).to.equal(40_000);
    expect(await limiter.consume('ben')).to.equal(undefined);
  });

  it('asks to wait no longer than its window after the clock of the system has gone back', async () => {
    const limiter = await createLimiter();
    expect(await limiter.consume('anna')).to.equal(undefined);
    Date.now = () => now() - 60 * MINUTE;
    expect(await limiter.consume('anna')).to.equal(MINUTE);
  });
});
