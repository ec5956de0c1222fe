import { expect } from 'chai';
import { petsJson } from '../../../../src/adapters/http/json/pet-json.js';
import { LIST_LIMIT } from '../../../../src/application/list-pets.js';
import { INT64_MAX, INT64_MIN } from '../../../../src/domain/int64.js';
import { makePet, NAME_MAX_LENGTH } from '../../../../src/domain/pet.js';

describe('the JSON of animals', () => {
  it('takes at most 624 KB for 100 animals, as the document says', () => {
    const largest = { name: '\u0001'.repeat(NAME_MAX_LENGTH), categoryId: INT64_MIN, status: 'available' } as const;
    const bytes = Buffer.byteLength(
      petsJson(Array.from({ length: LIST_LIMIT.maximum }, () => makePet(INT64_MAX, largest))),
    );
    expect(bytes).to.be.within(623_000, 624_000);
  });
});
