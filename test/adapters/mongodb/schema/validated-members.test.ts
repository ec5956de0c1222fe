import { expect } from 'chai';
import { SCHEMAS } from '../../../../src/adapters/mongodb/schema/migration.js';
import { PET_MEMBER_NAMES } from '../../../../src/domain/pet.js';

describe('the validator of animals in MongoDB', () => {
  for (const member of PET_MEMBER_NAMES) {
    it(`has a rule for ${member}`, () => {
      expect(SCHEMAS['pets']?.['properties']).to.have.property(member);
    });
  }
});
