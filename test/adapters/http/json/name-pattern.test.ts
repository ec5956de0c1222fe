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

describe('the pattern of a name', () => {
  for (const flags of ['', 'u', 'v']) {
    it(`accepts the names that the domain accepts, as a regular expression with ${flags || 'no flag'}`, () => {
      const accepted = EDGE_NAMES.filter((name) => new RegExp(pattern, flags).test(name));
      expect(accepted).to.deep.equal(EDGE_NAMES.filter(isAccepted));
    });

    it(`accepts each single character that the domain accepts, with ${flags || 'no flag'}`, () => {
      const expression = new RegExp(pattern, flags);
      for (let code = 0; code <= 0xffff; code++) {
        const name = String.fromCharCode(code);
        if (name.isWellFormed()) expect(expression.test(name), `U+${code.toString(16)}`).to.equal(isAccepted(name));
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
