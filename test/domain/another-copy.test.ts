import { expect } from 'chai';
import * as errors from '../../src/domain/errors.js';

const { AnimalStoreError, isAnimalStoreError } = errors;

describe('isAnimalStoreError of one copy of the package', () => {
  it('accepts the error of another copy, which instanceof misses', async () => {
    const url = new URL('../../src/domain/errors.ts?another-copy', import.meta.url).href;
    const copy = (await import(url)) as typeof errors;
    const foreign = new copy.AnimalStoreError('pet_not_found', 'id 1');
    expect(foreign).not.to.be.an.instanceof(AnimalStoreError);
    expect(isAnimalStoreError(foreign)).to.equal(true);
    expect(copy.isAnimalStoreError(new AnimalStoreError('pet_not_found', 'id 1'))).to.equal(true);
  });
});
