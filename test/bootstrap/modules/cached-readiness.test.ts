import { expect } from 'chai';
import { cachedReadiness } from '../../../src/bootstrap/modules/cached-readiness.js';

describe('a readiness that is checked at most once a second', () => {
  const { now } = performance;

  afterEach(() => {
    performance.now = now;
  });

  it('is kept for a second, and then checked again', async () => {
    const answers = [true, false];
    const isReady = cachedReadiness(async () => answers.shift() ?? true);
    for (const [time, answer] of [
      [500, true],
      [1499, true],
      [1500, false],
      [2499, false],
      [2500, true],
    ] as const) {
      performance.now = () => time;
      expect(await isReady(), String(time)).to.equal(answer);
    }
  });
});
