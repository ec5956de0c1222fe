import { expect } from 'chai';
import { rejectionOf } from './rejection-of.js';

// The top-level await has Mocha load this file by `import`, though it loaded the hooks by `require`.
const { endWithTest, mochaHooks } = await import('./cleanup.js');

// `left-open.test.ts` shows that Mocha calls the hooks.
describe('what a test starts', () => {
  const endTest = async (context: Mocha.Context): Promise<void> =>
    (mochaHooks.afterEach as Mocha.AsyncFunc).call(context) as Promise<void>;

  it('ends once, the newest first, unless the test has ended it', async function () {
    const ended: string[] = [];
    for (const what of ['server', 'client']) endWithTest(() => ended.push(what));
    endWithTest(() => ended.push('ended by the test itself'))();
    for (let i = 0; i < 2; i++) await endTest(this);
    expect(ended).to.deep.equal(['client', 'server']);
  });

  it('fails the test if it cannot be ended, and still ends the rest', async function () {
    let hasRestEnded = false;
    endWithTest(() => (hasRestEnded = true));
    endWithTest(() => {
      throw new Error('it is stuck');
    });
    expect(((await rejectionOf(endTest(this))) as AggregateError).errors.map(String)).to.deep.equal([
      'Error: it is stuck',
    ]);
    expect(hasRestEnded).to.equal(true);
  });
});
