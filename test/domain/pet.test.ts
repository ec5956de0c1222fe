import { expect } from 'chai';
import { AnimalStoreError, messageOfFaults } from '../../src/domain/errors.js';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import { makeNewPet, makePet, PET_MEMBER_NAMES, PET_MEMBERS, type NewPetInput } from '../../src/domain/pet.js';
import { REX as SAMPLE, rexWithout } from '../contracts/pet-samples.js';

const REX = { name: 'Rex', categoryId: 7n, status: 'available' } as const;

/** Calls makeNewPet as a caller without type checks might. */
function make(input: unknown) {
  return makeNewPet(input as NewPetInput);
}

type Member = keyof typeof PET_MEMBERS;

function expectFaults(input: unknown, ...members: Member[]): void {
  const faults = members.map((member) => ({ member, rule: PET_MEMBERS[member].rule }));
  expect(() => make(input))
    .to.throw(AnimalStoreError)
    .that.deep.includes({ code: 'invalid_pet', faults, message: messageOfFaults(faults) });
}

describe('makeNewPet', () => {
  it('makes a frozen animal with the members given', () => {
    const input = { ...REX };
    const newPet = makeNewPet(input);
    expect(newPet).to.deep.equal(REX);
    expect([Object.isFrozen(newPet), Object.isFrozen(input)]).to.deep.equal([true, false]);
  });

  it('accepts a safe integer as categoryId, and turns it into a bigint', () => {
    for (const number of [0, -0, 7, -7, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      expect(makeNewPet({ ...REX, categoryId: number }).categoryId).to.equal(BigInt(number));
    }
  });

  it('refuses every other categoryId', () => {
    for (const categoryId of [INT64_MAX + 1n, INT64_MIN - 1n, 2 ** 64, 7.5, NaN, '7', null, undefined, [7n]]) {
      expectFaults({ ...REX, categoryId }, 'categoryId');
    }
  });

  it('keeps each status', () => {
    expect(PET_STATUSES).to.deep.equal(['available', 'pending', 'sold']);
    for (const status of PET_STATUSES) expect(makeNewPet({ ...REX, status }).status).to.equal(status);
  });

  it('leaves the status out if it is absent or undefined', () => {
    const rest = { name: 'Rex', categoryId: 7n };
    expect(makeNewPet(rest)).to.deep.equal(rest).and.not.to.have.property('status');
    expect(makeNewPet({ ...rest, status: undefined })).not.to.have.property('status');
  });

  it('refuses every other status, null among them', () => {
    const others = [null, '', 'Available', ' sold', 'sold ', 'lost', 0, '0', ['sold'], 'length', Object('sold')];
    for (const status of others) {
      expectFaults({ ...REX, status }, 'status');
    }
  });

  it('names every fault, in the order of the members', () => {
    expectFaults({}, 'name', 'categoryId');
    expectFaults({ status: null }, 'name', 'categoryId', 'status');
    expectFaults({ name: 'Rex', status: 'lost' }, 'categoryId', 'status');
  });

  it('refuses an input that is not an object', () => {
    for (const input of [undefined, null, 'Rex', 7n, true]) {
      expect(() => make(input))
        .to.throw(AnimalStoreError)
        .that.deep.includes({ code: 'invalid_pet', faults: [], message: 'an animal must be an object' });
    }
  });

  it('drops unknown members, an id among them', () => {
    expect(make({ ...REX, id: 99n, colour: 'brown', toString: 1 })).to.deep.equal(REX);
  });

  it('does not take members from an own member named __proto__', () => {
    const parsed: unknown = JSON.parse('{"__proto__": {"name": "Rex", "categoryId": 7, "status": "sold"}}');
    expectFaults(parsed, 'name', 'categoryId');
  });

  it('reads the members of an instance of a class, including accessors', () => {
    class Dog {
      readonly categoryId = 7;
      get name() {
        return `Rex ${this.categoryId}`;
      }
    }
    expect(makeNewPet(new Dog())).to.deep.equal({ name: 'Rex 7', categoryId: 7n });
  });

  it('reads each member once, so that an accessor cannot change a value after its check', () => {
    let reads = 0;
    const input = {
      categoryId: 7n,
      get name() {
        return reads++ === 0 ? 'Rex' : '';
      },
    };
    expect(makeNewPet(input).name).to.equal('Rex');
    expect(reads).to.equal(1);
  });
});

describe('the list of members', () => {
  it('has each member of an animal with every member but its id, in this order', () => {
    expect(Object.keys(makePet(1n, SAMPLE))).to.deep.equal(['id', ...PET_MEMBER_NAMES]);
  });

  it('says of each member whether an animal may lack it', () => {
    for (const member of PET_MEMBER_NAMES) {
      const without = rexWithout(member);
      if (PET_MEMBERS[member].isOptional) expect(make(without)).to.deep.equal(without);
      else expectFaults(without, member);
    }
  });
});
