import { expect } from 'chai';
import { mock } from 'node:test';
import { onceASecond } from '../../src/bootstrap/once-a-second.js';

describe('onceASecond', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('shares a result with the calls during the run and for a second after it', async () => {
    const results = [1, 2];
    const run = onceASecond(async () => Promise.resolve(results.shift()));
    expect(await Promise.all([run(), run()])).to.deep.equal([1, 1]);
    mock.timers.tick(999);
    expect(await run()).to.equal(1);
    mock.timers.tick(1);
    expect(await run()).to.equal(2);
  });

  it('shares a rejection with the calls during the run alone', async () => {
    let runs = 0;
    const run = onceASecond(async () => {
      if (++runs === 1) throw new Error('once');
      return runs;
    });
    const [first, second] = await Promise.allSettled([run(), run()]);
    expect([first.status, second.status]).to.deep.equal(['rejected', 'rejected']);
    expect(await run()).to.equal(2);
  });
});
