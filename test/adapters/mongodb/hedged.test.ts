import { expect } from 'chai';
import { hedged } from '../../../src/adapters/mongodb/hedged.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { runningTimers } from '../../support/running-timers.js';
import { until } from '../../support/until.js';

/** Longer than a test may take. */
const LONG_MS = 600_000;

const silent = (which = ''): AnimalStoreError => new AnimalStoreError('store_unavailable', `silent ${which}`);

/** An attempt that is never answered. */
const forEver = async (): Promise<never> => new Promise(() => undefined);

/** Runs `hedged` with one attempt after the other from a list, and counts those that begin. */
function hedge<T>(deadlineMs: number, ...attempts: ((remainingMs: number) => Promise<T>)[]) {
  const begun: number[] = [];
  const answer = hedged(deadlineMs, async (remainingMs) => {
    begun.push(remainingMs);
    return (attempts[begun.length - 1] ?? forEver)(remainingMs);
  });
  return { begun, answer };
}

describe('a hedged operation', () => {
  it('is attempted once if it is answered', async () => {
    const { begun, answer } = hedge(LONG_MS, async () => 'answer');
    expect(await answer).to.equal('answer');
    expect(begun).to.deep.equal([LONG_MS]);
  });

  it('is attempted again at once if there was no answer', async () => {
    const refuse = async (): Promise<string> => Promise.reject(silent());
    const { begun, answer } = hedge(LONG_MS, refuse, refuse, async () => 'answer');
    expect(await answer).to.equal('answer');
    expect(begun).to.have.length(3);
  });

  it('is attempted again while the answer is late, and takes that of any attempt', async () => {
    for (const which of [0, 1, 2]) {
      const resolves: ((answer: number) => void)[] = [];
      const attempt = async (): Promise<number> => new Promise((resolve) => resolves.push(resolve));
      const { begun, answer } = hedge(LONG_MS, attempt, attempt, attempt);
      await until(() => begun.length === 3);
      resolves[which]?.(which);
      expect(await answer).to.equal(which);
    }
  });

  it('is attempted three times at most, and rejects as the newest attempt does', async () => {
    const { begun, answer } = hedge(
      LONG_MS,
      ...['1', '2', '3'].map((which) => async () => Promise.reject(silent(which))),
    );
    expect(await rejectionOf(answer)).to.have.property('message', 'silent 3');
    expect(begun).to.have.length(3);
  });

  it('gives each attempt the time that is left', async () => {
    const { begun } = hedge(LONG_MS, forEver, forEver);
    await until(() => begun.length === 2);
    expect(begun[0]).to.equal(LONG_MS);
    expect(begun[1]).to.be.within(LONG_MS / 2, LONG_MS - 1);
  });

  it('rejects at once with an error that is an answer', async () => {
    const refused = new Error('not authorized');
    const { begun, answer } = hedge(LONG_MS, async () => Promise.reject(refused));
    expect(await rejectionOf(answer)).to.equal(refused);
    expect(begun).to.have.length(1);
  });

  it('begins no attempt after its deadline', async () => {
    const late = async (): Promise<never> => {
      const start = performance.now();
      await until(() => performance.now() - start > 20);
      throw silent();
    };
    const { begun, answer } = hedge(10, late);
    expect(await rejectionOf(answer)).to.be.instanceOf(AnimalStoreError);
    expect(begun).to.have.length(1);
  });

  it('leaves no timer behind once it is answered', async () => {
    const before = runningTimers();
    for (let i = 0; i < 50; i++) await hedged(LONG_MS, async () => i);
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});
