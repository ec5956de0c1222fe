import { expect } from 'chai';
import { petJson, petsJson } from '../../../../src/adapters/http/json/pet-json.js';
import { makeNewPet, makePet } from '../../../../src/domain/pet.js';

describe('petsJson', () => {
  const pets = ['Rex', 'Tom', 'Tweety'].map((name, i) => makePet(BigInt(i + 1), makeNewPet({ name, categoryId: 7n })));

  it('is an array of the texts of the animals, in their order', () => {
    expect(petsJson(pets)).to.equal(`[${pets.map(petJson).join(',')}]`);
  });

  it('is an empty array for none', () => {
    expect(petsJson([])).to.equal('[]');
  });
});
