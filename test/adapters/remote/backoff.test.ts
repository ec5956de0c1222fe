import { expect } from 'chai';
import { backoffMs } from '../../../src/adapters/remote/backoff.js';

/** Many pauses after a number of failed attempts, sorted by length. */
function pausesAfter(attempts: number, retryAfter: string | null = null): readonly number[] {
  return Array.from({ length: 200 }, () => backoffMs(attempts, retryAfter)).sort((a, b) => a - b);
}

describe('the pause after a failed attempt', () => {
  it('doubles from 50 ms to 2 s, of which a random part, at least half, passes', () => {
    for (const [attempts, longest] of [50, 100, 200, 400, 800, 1600, 2000, 2000].entries()) {
      const pauses = pausesAfter(attempts + 1);
      expect(pauses[0]).to.be.at.least(longest / 2);
      expect(pauses.at(-1)).to.be.at.most(longest);
      expect(new Set(pauses).size).to.be.greaterThan(100);
    }
    expect(pausesAfter(100_000).at(-1)).to.be.at.most(2000);
  });

  it('begins when Retry-After has passed, in seconds or at a date', () => {
    for (const retryAfter of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      expect(pausesAfter(1, retryAfter)[0], retryAfter).to.be.within(3_590_000, 3_600_050);
    }
  });

  it('is as usual if Retry-After is anything else', () => {
    for (const retryAfter of ['', '0', '-1', '1.5', 'soon', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
      expect(pausesAfter(1, retryAfter).at(-1), retryAfter).to.be.at.most(50);
    }
  });
});
