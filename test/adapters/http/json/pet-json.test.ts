import { expect } from 'chai';
import { petJson, PetJsonCache, petsJson } from '../../../../src/adapters/http/json/pet-json.js';
import { LIST_LIMIT } from '../../../../src/application/list-pets.js';
import { INT64_MAX, INT64_MIN } from '../../../../src/domain/int64.js';
import { makeNewPet, makePet, NAME_MAX_LENGTH, type Pet } from '../../../../src/domain/pet.js';

describe('the JSON of animals', () => {
  it('takes at most 624 KB for 100 animals, as the document says', () => {
    const largest = { name: '\u0001'.repeat(NAME_MAX_LENGTH), categoryId: INT64_MIN, status: 'available' } as const;
    const bytes = Buffer.byteLength(
      petsJson(Array.from({ length: LIST_LIMIT.maximum }, () => makePet(INT64_MAX, largest))),
    );
    expect(bytes).to.be.within(623_000, 624_000);
  });
});

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
