import { expect } from 'chai';
import { outcomeOfRejection } from '../../src/domain/call-outcome.js';
import { AnimalStoreError } from '../../src/domain/errors.js';

describe('outcomeOfRejection', () => {
  it('is refused for an error that the port foresees', () => {
    expect(outcomeOfRejection(new AnimalStoreError('invalid_pet', 'no'))).to.equal('refused');
  });

  it('is unavailable if the store did not answer in time', () => {
    expect(outcomeOfRejection(new AnimalStoreError('store_unavailable', 'silent'))).to.equal('unavailable');
  });

  it('is aborted for the reason of the aborted signal', () => {
    const signal = AbortSignal.abort();
    expect(outcomeOfRejection(signal.reason, { signal })).to.equal('aborted');
  });

  it('is failed for the reason of another signal', () => {
    expect(outcomeOfRejection(AbortSignal.abort().reason, { signal: AbortSignal.abort() })).to.equal('failed');
  });

  it('is failed for any other error', () => {
    for (const error of [new Error('store_unavailable'), undefined])
      expect(outcomeOfRejection(error)).to.equal('failed');
  });
});
