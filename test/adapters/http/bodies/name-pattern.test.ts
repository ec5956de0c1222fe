import { expect } from 'chai';
import { newPetSchema } from '../../../../src/adapters/http/bodies/schemas.js';
import { faultsOfNewPet } from '../../../../src/domain/pet.js';
import { EDGE_NAMES } from '../../../support/edge-names.js';

/** Whether the pattern leaves a name to the domain: it consists of white space, some of it beyond ASCII. */
function isLeftToTheDomain(name: string): boolean {
  return /^\p{White_Space}+$/u.test(name) && /[^\0-\x7f]/.test(name);
}

describe('the pattern of a name', () => {
  it('accepts what the domain accepts, and white space beyond ASCII, with any flag', () => {
    const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
    const expressions = ['', 'u', 'v'].map((flags) => new RegExp(newPetSchema.properties.name.pattern, flags));
    for (const name of [...EDGE_NAMES, ...characters.filter((each) => each.isWellFormed())]) {
      const isExpected = faultsOfNewPet({ name, categoryId: 7n }).length === 0 || isLeftToTheDomain(name);
      for (const expression of expressions) {
        if (expression.test(name) !== isExpected) expect.fail(`${JSON.stringify(name)} is ${isExpected}`);
      }
    }
  });
});
