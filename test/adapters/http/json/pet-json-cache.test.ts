import { expect } from 'chai';
import { petJson, petsJson } from '../../../../src/adapters/http/json/pet-json.js';
import { PetJsonCache } from '../../../../src/adapters/http/json/pet-json.js';
import { makeNewPet, makePet, type Pet } from '../../../../src/domain/pet.js';

const NAMES = ['Rex', 'Zoë', '"Tom"', '犬😀'];

function pets(): Pet[] {
  return NAMES.map((name, i) => makePet(BigInt(i + 1), makeNewPet({ name, categoryId: 7n, status: 'sold' })));
}

describe('PetJsonCache', () => {
  let texts: PetJsonCache;

  beforeEach(() => {
    texts = new PetJsonCache();
  });

  it('writes the same text whether animals are listed for the first time or again', () => {
    const all = pets();
    for (const page of [[], all, all, all.slice(1), all.slice(1, 3), all.toReversed(), [...all, ...all]]) {
      for (let i = 0; i < 3; i++) expect(texts.petsJson(page)).to.equal(petsJson(page));
    }
  });

  it('writes the same text for a single animal, whether for the first time or again', () => {
    for (const pet of pets()) {
      for (let i = 0; i < 2; i++) expect(texts.petJson(pet)).to.equal(petJson(pet));
    }
  });
});
