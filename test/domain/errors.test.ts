import { expect } from 'chai';
import { ANIMAL_STORE_ERROR_CODES, AnimalStoreError, isAnimalStoreError } from '../../src/domain/errors.js';

describe('AnimalStoreError', () => {
  it('has one of these stable codes: add a new code here too, and keep the old ones', () => {
    expect(ANIMAL_STORE_ERROR_CODES).to.deep.equal([
      'invalid_pet',
      'invalid_query',
      'pet_not_found',
      'creation_aborted',
      'idempotency_key_reused',
      'idempotency_not_supported',
      'invalid_key_request',
      'api_key_not_found',
      'api_key_not_active',
      'invalid_record',
      'restore_conflict',
      'transfer_not_supported',
      'store_unavailable',
    ]);
  });

  it('is an Error with a name, a code, a message, a cause and a stack', () => {
    const cause = new Error('refused');
    const error = new AnimalStoreError('store_unavailable', 'no answer', { cause });
    expect(error).to.be.an.instanceof(Error);
    expect(error).to.include({ name: 'AnimalStoreError', code: 'store_unavailable', message: 'no answer', cause });
    expect(error.stack).to.match(/^AnimalStoreError|errors\.test\.ts/);
  });

  it('lists its faults, in its message too', () => {
    const faults = [
      { member: 'name', rule: 'must be a string' },
      { member: 'categoryId', rule: 'must be an integer' },
    ];
    const error = new AnimalStoreError('invalid_pet', faults);
    expect(error.faults).to.deep.equal(faults);
    expect(error.message).to.equal('name must be a string; categoryId must be an integer');
  });
});

describe('isAnimalStoreError', () => {
  it('accepts an error of each code', () => {
    for (const code of ANIMAL_STORE_ERROR_CODES) {
      expect(isAnimalStoreError(new AnimalStoreError(code, ''))).to.equal(true);
    }
  });

  it('refuses every other error', () => {
    const named = Object.assign(new Error('x'), { name: 'AnimalStoreError' });
    const coded = Object.assign(new Error('x'), { code: 'pet_not_found' });
    const unknownCode = Object.assign(new Error('x'), { name: 'AnimalStoreError', code: 'lost' });
    for (const error of [named, coded, unknownCode, new TypeError('x')]) {
      expect(isAnimalStoreError(error)).to.equal(false);
    }
  });

  it('refuses a value that is not an error', () => {
    const lookalike = { name: 'AnimalStoreError', code: 'pet_not_found', message: '' };
    for (const value of [lookalike, 'pet_not_found', null, undefined])
      expect(isAnimalStoreError(value)).to.equal(false);
  });
});
