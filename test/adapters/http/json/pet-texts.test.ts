import { expect } from 'chai';
import { petJson, petsJson } from '../../../../src/adapters/http/json/pet-json.js';
import { PetTexts } from '../../../../src/adapters/http/json/pet-texts.js';
import { makeNewPet, makePet, type Pet } from '../../../../src/domain/pet.js';

const NAMES = ['Rex', 'Zoë', '"Tom"', '犬😀'];

function pets(): Pet[] {
  return NAMES.map((name, i) => makePet(BigInt(i + 1), makeNewPet({ name, categoryId: 7n, status: 'sold' })));
}

/** Animals that call back whenever their names are read, which writing their texts does once. */
function petsThatTell(onRead: () => void): Pet[] {
  return pets().map(({ id, name, categoryId }) => ({
    id,
    get name() {
      onRead();
      return name;
    },
    categoryId,
  }));
}

describe('PetTexts', () => {
  let texts: PetTexts;
  let written: number;
  const count = (): void => void written++;

  beforeEach(() => {
    texts = new PetTexts();
    written = 0;
  });

  it('writes the same text whether animals are listed for the first time or again', () => {
    const all = pets();
    for (const page of [[], all, all, all.slice(1), all.slice(1, 3), all.toReversed(), [...all, ...all]]) {
      for (let i = 0; i < 3; i++) expect(texts.petsJson(page)).to.equal(petsJson(page));
    }
  });

  it('writes animals that are listed repeatedly at most twice', () => {
    const all = petsThatTell(count);
    for (let i = 0; i < 10; i++) texts.petsJson(all);
    expect(written).to.equal(2 * NAMES.length - 1);
  });

  it('keeps the texts of animals, whichever list they are in', () => {
    const all = petsThatTell(count);
    for (let i = 0; i < 2; i++) texts.petsJson(all);
    written = 0;
    for (let start = 0; start < all.length; start++) texts.petsJson(all.slice(start, start + 2));
    expect(written).to.equal(0);
  });

  it('writes the same text for a single animal, whether for the first time or again', () => {
    for (const pet of pets()) {
      for (let i = 0; i < 2; i++) expect(texts.petJson(pet)).to.equal(petJson(pet));
    }
  });

  it('writes a single animal once', () => {
    const [pet] = petsThatTell(count) as [Pet];
    for (let i = 0; i < 10; i++) texts.petJson(pet);
    expect(written).to.equal(1);
  });

  it('writes each of the animals that are new objects once', () => {
    for (let i = 1; i <= 10; i++) {
      texts.petsJson(petsThatTell(count));
      expect(written).to.equal(i * NAMES.length);
    }
  });
});
