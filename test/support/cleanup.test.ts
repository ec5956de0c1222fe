import { expect } from 'chai';

// The top-level await has Mocha load this file by `import`, though it loaded the hooks by `require`.
const { endWithFile, endWithTest, mochaHooks } = await import('./cleanup.js');

describe('what a test starts', () => {
  const ended: string[] = [];

  it('is registered', () => {
    for (const what of ['server', 'client']) endWithTest(() => ended.push(what));
    endWithTest(() => ended.push('ended by the test itself'))();
    endWithFile(() => ended.push('file'));
  });

  it('has ended after the test, the newest first', () => {
    expect(ended).to.deep.equal(['client', 'server']);
  });

  it('ends once', () => {
    expect(ended).to.have.lengthOf(2);
  });

  it('ends with the file if it was started so', async function () {
    await (mochaHooks.afterAll as Mocha.AsyncFunc).call(this);
    expect(ended.at(-1)).to.equal('file');
  });

  it('fails the test if it cannot be ended, and still ends the rest', async function () {
    endWithTest(() => ended.push('the rest'));
    endWithTest(() => {
      throw new Error('it is stuck');
    });
    const failure = await (mochaHooks.afterEach as Mocha.AsyncFunc).call(this).then(
      () => undefined,
      (error: unknown) => error as AggregateError,
    );
    expect(failure?.errors.map(String)).to.deep.equal(['Error: it is stuck']);
    expect(ended.at(-1)).to.equal('the rest');
  });
});
