import { expect } from 'chai';
import { Container } from 'inversify';
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

  it('asks to wait for the rest of its window', async () => {
    const container = new Container();
    container.load(rateLimiterModule({ requests: 1, perMs: MINUTE }));
    const limiter = await container.getAsync(TOKENS.rateLimiter);
    const start = now();
    Date.now = () => start;
    expect(await limiter.take('anna')).to.equal(undefined);
    Date.now = () => start + 20_000;
    expect(await limiter.take('anna')).to.equal(40_000);
  });

  it('asks to wait no longer than its window after the clock of the system has gone back', async () => {
    const container = new Container();
    container.load(rateLimiterModule({ requests: 1, perMs: MINUTE }));
    const limiter = await container.getAsync(TOKENS.rateLimiter);
    expect(await limiter.take('anna')).to.equal(undefined);
    Date.now = () => now() - 60 * MINUTE;
    expect(await limiter.take('anna')).to.equal(MINUTE);
  });
});
