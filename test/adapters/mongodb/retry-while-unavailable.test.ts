import { expect } from 'chai';
import { MongoConnectionError, retryWhileUnavailable } from '../../../src/adapters/mongodb/connect-mongo-client.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { rejectionOf } from '../../support/rejection-of.js';

/** Longer than a test may take. */
const LONG_MS = 600_000;

const silence = new AnimalStoreError('store_unavailable', 'the store did not answer in time', {
  cause: new Error('no server was selected', { cause: new Error('the port is closed') }),
});

describe('retryWhileUnavailable', () => {
  it('gives each attempt all the remaining time', async () => {
    const given: number[] = [];
    await retryWhileUnavailable({ timeoutMs: LONG_MS }, async (remainingMs) => {
      if (given.push(remainingMs) === 1) throw silence;
    });
    expect(given[0]).to.be.within(LONG_MS - 1000, LONG_MS);
    expect(given[1]).to.be.within(LONG_MS / 2, LONG_MS - 100);
  });

  it('says once why it waits', async () => {
    const reasons: string[] = [];
    let runs = 0;
    await retryWhileUnavailable({ onWait: (reason) => reasons.push(reason) }, async () => {
      if (++runs < 3) throw silence;
    });
    expect(reasons).to.deep.equal(['the port is closed']);
  });

  it('takes at least half a second, and rejects with the first cause after that', async () => {
    const given: number[] = [];
    const error = await rejectionOf(
      retryWhileUnavailable({ timeoutMs: 1 }, async (remainingMs) => {
        given.push(remainingMs);
        throw silence;
      }),
    );
    expect(given[0]).to.equal(500);
    expect(error).to.be.instanceOf(MongoConnectionError).and.include({
      name: 'MongoConnectionError',
      message: 'the MongoDB server was not ready within 0.001 s: the port is closed',
      cause: silence,
    });
  });

  it('rejects immediately with any other error', async () => {
    for (const error of [new Error('not authorized'), new AnimalStoreError('invalid_pet', 'no')]) {
      let runs = 0;
      const attempt = async (): Promise<never> => {
        runs++;
        throw error;
      };
      expect(await rejectionOf(retryWhileUnavailable({ timeoutMs: LONG_MS }, attempt))).to.equal(error);
      expect(runs).to.equal(1);
    }
  });
});
