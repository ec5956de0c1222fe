import { expect } from 'chai';
import { keptPetJson, petJson, petsJson } from '../../../../src/adapters/http/bodies/pet-json.js';
import { LIST_LIMIT } from '../../../../src/application/list-pets.js';
import { INT64_MAX, INT64_MIN } from '../../../../src/domain/int64.js';
import { makePet, NAME_MAX_LENGTH } from '../../../../src/domain/pet.js';

describe('the JSON of animals', () => {
  it('takes at most 624 KB for 100 animals, as the document says', () => {
    const largest = { name: '\u0001'.repeat(NAME_MAX_LENGTH), categoryId: INT64_MIN, status: 'available' } as const;
    const pets = Array.from({ length: LIST_LIMIT.maximum }, () => makePet(INT64_MAX, largest));
    expect(Buffer.byteLength(petsJson(pets))).to.be.within(623_000, 624_000);
  });

  it('is the same whether an animal is written for the first time or again, alone or in a list', () => {
    const names = ['Rex', 'Zoë', '"Tom"', '犬😀'];
    const pets = names.map((name, i) => makePet(BigInt(i + 1), { name, categoryId: 7n, status: 'sold' }));
    for (const page of [[], pets, pets, pets.slice(1), pets.slice(1, 3), pets.toReversed(), [...pets, ...pets]]) {
      for (let i = 0; i < 3; i++) expect(petsJson(page)).to.equal(`[${page.map(petJson).join(',')}]`);
    }
    for (const pet of pets) expect(keptPetJson(pet)).to.equal(petJson(pet));
  });
});
