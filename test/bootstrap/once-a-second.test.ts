import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { onceASecond } from '../../src/bootstrap/once-a-second.js';

describe('onceASecond', () => {
  it('shares a result with the calls during the run and for a second after it', async () => {
    const results = [true, false];
    const run = onceASecond(async () => sleep(10, results.shift()));
    expect(await Promise.all([run(), run()])).to.deep.equal([true, true]);
    expect(await run()).to.equal(true);
    await sleep(1100);
    expect(await run()).to.equal(false);
  });
});
