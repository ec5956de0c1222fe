import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { withDeadline } from '../../../src/adapters/mongodb/deadline.js';
import { overLostConnections } from '../../../src/adapters/mongodb/lost-connections.js';
import { rejectionOf } from '../../support/rejection-of.js';

const LOST = new MongoNetworkError('connection 3 closed');
/** Longer than a test may take. */
const LONG_MS = 600_000;

/** A step that fails so, one error after the other, and then gives how often it was run. */
function failing(...errors: readonly Error[]) {
  let runs = 0;
  const step = async (): Promise<number> => {
    const error = errors[runs++];
    if (error !== undefined) throw error;
    return runs;
  };
  return { step, runs: () => runs };
}

describe('a step over lost connections', () => {
  it('runs again until it succeeds', async () => {
    const { step } = failing(LOST, LOST);
    expect(await withDeadline(LONG_MS, async (limits) => overLostConnections(limits, step))).to.equal(3);
  });

  it('does not run again if it may not', async () => {
    const { step, runs } = failing(LOST);
    const operation = withDeadline(LONG_MS, async (limits) => overLostConnections(limits, step, () => false));
    expect(await rejectionOf(operation)).to.have.property('cause', LOST);
    expect(runs()).to.equal(1);
  });

  it('does not run again after another error', async () => {
    const refused = new Error('not authorized');
    const { step, runs } = failing(refused);
    expect(await rejectionOf(withDeadline(LONG_MS, async (limits) => overLostConnections(limits, step)))).to.equal(
      refused,
    );
    expect(runs()).to.equal(1);
  });

  it('does not run again after the deadline', async () => {
    let runs = 0;
    let end: Promise<unknown> = Promise.resolve();
    const operation = withDeadline(1, async (limits) => {
      end = rejectionOf(
        overLostConnections(limits, async () => {
          runs++;
          await new Promise<void>((resolve) => limits.signal.addEventListener('abort', () => resolve()));
          throw LOST;
        }),
      );
      return end;
    });
    expect(await rejectionOf(operation)).to.equal(await end);
    expect(runs).to.equal(1);
  });
});
