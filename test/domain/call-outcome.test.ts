import { expect } from 'chai';
import { outcomeOf } from '../../../src/adapters/mongodb/operation.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';

describe('outcomeOf', () => {
  it('is refused for an error that the port foresees', () => {
    expect(outcomeOf(new AnimalStoreError('invalid_pet', 'no'))).to.equal('refused');
  });

  it('is unavailable if the store did not answer in time', () => {
    expect(outcomeOf(new AnimalStoreError('store_unavailable', 'silent'))).to.equal('unavailable');
  });

  it('is failed for any other error', () => {
    for (const error of [new Error('store_unavailable'), undefined]) expect(outcomeOf(error)).to.equal('failed');
  });
});
