import { expect } from 'chai';
import { Linter } from 'eslint';
import regexp from 'eslint-plugin-regexp';
import { newPetSchema } from '../../../../src/adapters/http/json/schemas.js';
import { isAnimalStoreError } from '../../../../src/domain/errors.js';
import { makeNewPet } from '../../../../src/domain/pet.js';
import { EDGE_NAMES } from '../../../support/edge-names.js';

const { pattern } = newPetSchema.properties.name;

function isAccepted(name: string): boolean {
  try {
    makeNewPet({ name, categoryId: 7n });
    return true;
  } catch (error) {
    if (!isAnimalStoreError(error)) throw error;
    return false;
  }
}

/** Whether the pattern leaves a name to the domain: it consists of white space, some of it beyond ASCII. */
function isLeftToTheDomain(name: string): boolean {
  return /^\p{White_Space}+$/u.test(name) && /[^\0-\x7f]/.test(name);
}

describe('the pattern of a name', () => {
  for (const flags of ['', 'u', 'v']) {
    const expression = new RegExp(pattern, flags);

    it(`accepts what the domain accepts, and white space beyond ASCII, with ${flags || 'no flag'}`, () => {
      const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code));
      for (const name of [...EDGE_NAMES, ...characters.filter((each) => each.isWellFormed())]) {
        const isExpected = isAccepted(name) || isLeftToTheDomain(name);
        if (expression.test(name) !== isExpected) expect.fail(`${JSON.stringify(name)} is ${isExpected}`);
      }
    });
  }

  it('takes linear time to match', () => {
    const rules = { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' } as const;
    const findings = (source: string): string[] =>
      new Linter()
        .verify(`new RegExp(${JSON.stringify(source)}).test("")`, [
          { plugins: { regexp }, languageOptions: { globals: { RegExp: 'readonly' } }, rules },
        ])
        .map(({ message }) => message);
    expect(findings(pattern)).to.deep.equal([]);
    expect(findings('^\\s*\\s*[^\\x00]*$')).not.to.deep.equal([]);
  });
});
