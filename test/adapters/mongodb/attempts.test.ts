import { expect } from 'chai';
import { Attempts } from '../../../src/adapters/mongodb/operation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { until } from '../../support/until.js';

/** Longer than a test may take. */
const LONG_MS = 600_000;

const silent = (which = ''): AnimalStoreError => new AnimalStoreError('store_unavailable', `silent ${which}`);

/** Runs an operation with one attempt after the other from a list, and notes how long each may take. */
function run<T>(deadlineMs: number, ...attempts: (() => Promise<T>)[]) {
  return runOn(new Attempts(), deadlineMs, ...attempts);
}

function runOn<T>(of: Attempts, deadlineMs: number, ...attempts: (() => Promise<T>)[]) {
  const limits: number[] = [];
  const answer = of.run(deadlineMs, async (limitMs) => {
    limits.push(limitMs);
    return (attempts[limits.length - 1] as () => Promise<T>)();
  });
  return { limits, answer };
}

describe('an operation in attempts', () => {
  const fail = (which: string) => async (): Promise<string> => Promise.reject(silent(which));
  const succeed = async (): Promise<string> => 'answer';

  it('is attempted once if it is answered', async () => {
    const { limits, answer } = run(LONG_MS, succeed);
    expect(await answer).to.equal('answer');
    expect(limits).to.deep.equal([500]);
  });

  it('is attempted at most three times: for half a second, for a second, and for the rest of the time', async () => {
    const { limits, answer } = run(LONG_MS, fail('1'), fail('2'), succeed);
    expect(await answer).to.equal('answer');
    expect(limits.slice(0, 2)).to.deep.equal([500, 1000]);
    expect(limits[2]).to.be.within(LONG_MS / 2, LONG_MS);
  });

  it('rejects as the last attempt does', async () => {
    const { answer } = run(LONG_MS, fail('1'), fail('2'), fail('3'));
    expect(await rejectionOf(answer)).to.have.property('message', 'silent 3');
  });

  it('rejects immediately with an error that is an answer', async () => {
    const refused = new Error('not authorized');
    const { limits, answer } = run(LONG_MS, async () => Promise.reject(refused));
    expect(await rejectionOf(answer)).to.equal(refused);
    expect(limits).to.have.length(1);
  });

  it('is attempted once if its deadline is as short as the first attempt', async () => {
    const { limits, answer } = run(500, fail('1'));
    expect(await rejectionOf(answer)).to.have.property('message', 'silent 1');
    expect(limits).to.deep.equal([500]);
  });

  it('is attempted once, with all its time, after one that had no answer', async () => {
    const attempts = new Attempts();
    await rejectionOf(runOn(attempts, 1200, fail('1'), fail('2'), fail('3')).answer);
    const { limits, answer } = runOn(attempts, LONG_MS, succeed);
    expect(await answer).to.equal('answer');
    expect(limits[0]).to.be.within(LONG_MS / 2, LONG_MS);
  });

  it('has short attempts again after one that was answered quickly', async () => {
    const attempts = new Attempts();
    await rejectionOf(runOn(attempts, 500, fail('1')).answer);
    await runOn(attempts, LONG_MS, succeed).answer;
    const { limits, answer } = runOn(attempts, LONG_MS, succeed);
    await answer;
    expect(limits).to.deep.equal([500]);
  });

  it('has attempts of twice the time that the last answer took', async () => {
    const attempts = new Attempts();
    const start = performance.now();
    const slow = async (): Promise<string> => {
      await until(() => performance.now() - start > 600);
      return 'late';
    };
    await runOn(attempts, LONG_MS, slow).answer;
    const { limits, answer } = runOn(attempts, LONG_MS, succeed);
    await answer;
    expect(limits[0]).to.be.within(1200, LONG_MS / 2);
  });
});
