import { expect } from 'chai';
import { PET_MEMBER_NAMES, type NewPet } from '../../src/domain/pet.js';
import { membersJson } from '../../src/lossless-json/members-json.js';
import { parseJson } from '../../src/lossless-json/parse-json.js';
import { OPTIONAL_MEMBERS, REX, rexesWith, rexWithout } from '../contracts/pet-samples.js';

describe('membersJson', () => {
  function written(newPet: NewPet): object {
    return parseJson(`{${membersJson(newPet)}}`) as object;
  }

  it('writes the members in the order of the list', () => {
    expect(Object.keys(written(REX))).to.deep.equal(PET_MEMBER_NAMES);
  });

  for (const member of PET_MEMBER_NAMES) {
    for (const [what, newPet] of rexesWith(member)) {
      it(`writes the ${member} exactly: ${what}`, () => {
        expect(written(newPet)).to.have.property(member, newPet[member]);
      });
    }
  }

  for (const member of OPTIONAL_MEMBERS) {
    it(`leaves out the ${member} of an animal that lacks it`, () => {
      expect(Object.keys(written(rexWithout(member)))).to.deep.equal(
        PET_MEMBER_NAMES.filter((each) => each !== member),
      );
    });
  }
});
