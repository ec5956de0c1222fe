import { expect } from 'chai';
import { pauseAfter } from '../../../src/adapters/remote/pauses.js';

/** Many pauses after a number of failed attempts, sorted by length. */
function pausesAfter(attempts: number, retryAfter: string | null = null): readonly number[] {
  return Array.from({ length: 200 }, () => pauseAfter(attempts, retryAfter)).sort((a, b) => a - b);
}

describe('the pause after a failed attempt', () => {
  it('doubles from 50 ms to 2 s, of which at least half passes', () => {
    for (const [attempts, longest] of [50, 100, 200, 400, 800, 1600, 2000, 2000].entries()) {
      const pauses = pausesAfter(attempts + 1);
      expect(pauses[0]).to.be.at.least(longest / 2);
      expect(pauses.at(-1)).to.be.at.most(longest);
    }
  });

  it('is at most 2 s after any number of attempts', () => {
    expect(pausesAfter(100_000).at(-1)).to.be.at.most(2000);
  });

  it('is random, so that clients that failed together do not retry together', () => {
    const pauses = pausesAfter(4);
    expect(new Set(pauses).size).to.be.greaterThan(100);
    expect((pauses.at(-1) ?? 0) - (pauses[0] ?? 0)).to.be.greaterThan(100);
  });

  it('begins when Retry-After has passed, in seconds or at a date', () => {
    for (const retryAfter of ['3600', new Date(Date.now() + 3_600_000).toUTCString()]) {
      const pauses = pausesAfter(1, retryAfter);
      expect(pauses[0], retryAfter).to.be.within(3_590_000, 3_600_050);
    }
  });

  for (const retryAfter of ['', '0', '-1', '1.5', 'soon', '1e9', 'Thu, 01 Jan 1970 00:00:00 GMT']) {
    it(`is as usual if Retry-After is ${JSON.stringify(retryAfter)}`, () => {
      expect(pausesAfter(1, retryAfter).at(-1)).to.be.at.most(50);
    });
  }
});
