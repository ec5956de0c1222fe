import { expect } from 'chai';
import { outcomeOfRejection } from '../../src/domain/call-outcome.js';
import { AnimalStoreError } from '../../src/domain/errors.js';

describe('outcomeOfRejection', () => {
  const signal = AbortSignal.abort();
  for (const [outcome, error, options] of [
    ['refused', new AnimalStoreError('invalid_pet', 'no'), {}],
    ['unavailable', new AnimalStoreError('store_unavailable', 'silent'), {}],
    ['aborted', signal.reason, { signal }],
    ['failed', AbortSignal.abort().reason, { signal }],
    ['failed', new Error('store_unavailable'), {}],
    ['failed', undefined, {}],
  ] as const) {
    it(`is ${outcome} for ${String(error)}`, () => {
      expect(outcomeOfRejection(error, options)).to.equal(outcome);
    });
  }
});
