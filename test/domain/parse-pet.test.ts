import { expect } from 'chai';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { INT64_MAX } from '../../src/domain/int64.js';
import { parseNewPet, parsePet } from '../../src/domain/parse-pet.js';
import { PET_ID_RULE, PET_MEMBER_NAMES, PET_MEMBERS, type NewPet } from '../../src/domain/pet.js';
import { SAMPLES } from '../contracts/pet-samples.js';

function expectFaults(values: unknown, ...members: readonly (keyof NewPet)[]): void {
  const faults = members.map((member) => ({ member, rule: PET_MEMBERS[member].rule }));
  expect(() => parseNewPet(values))
    .to.throw(AnimalStoreError)
    .that.deep.includes({ code: 'invalid_pet', faults });
}

describe('parseNewPet', () => {
  it('makes a frozen animal from texts', () => {
    const newPet = parseNewPet({ name: 'Rex', categoryId: '7', status: 'sold' });
    expect(newPet).to.deep.equal({ name: 'Rex', categoryId: 7n, status: 'sold' });
    expect(Object.isFrozen(newPet)).to.equal(true);
  });

  it('makes an animal from JSON values', () => {
    const values: unknown = JSON.parse('{"name":"Rex","categoryId":7,"status":"sold"}');
    expect(parseNewPet(values)).to.deep.equal({ name: 'Rex', categoryId: 7n, status: 'sold' });
  });

  it('makes the same animal from the texts of each value that a member may have', () => {
    for (const member of PET_MEMBER_NAMES)
      for (const value of Object.values(SAMPLES[member])) {
        const newPet = parseNewPet({ name: 'Rex', categoryId: '7', [member]: String(value) });
        expect(newPet).to.deep.equal({ name: 'Rex', categoryId: 7n, [member]: value });
      }
  });

  it('refuses a categoryId whose text is not that of an int64', () => {
    for (const categoryId of ['', ' 7', '+7', '07', '7.0', '1e3', '0x7', 'seven', '9223372036854775808', 2 ** 64])
      expectFaults({ name: 'Rex', categoryId }, 'categoryId');
  });

  it('leaves the status out if it is an empty text, null, undefined or absent', () => {
    const rest = { name: 'Rex', categoryId: 7n };
    expect(parseNewPet(rest)).to.deep.equal(rest);
    for (const status of ['', null, undefined]) expect(parseNewPet({ ...rest, status })).to.deep.equal(rest);
  });

  it('refuses a name or a categoryId that is an empty text, null, undefined or absent', () => {
    expectFaults({}, 'name', 'categoryId');
    for (const value of ['', null, undefined]) expectFaults({ name: value, categoryId: value }, 'name', 'categoryId');
  });

  it('reads the entries of a FormData, a URLSearchParams and a Map', () => {
    const form = new FormData();
    for (const [name, text] of Object.entries({ name: 'Rex', categoryId: '7', status: '' })) form.append(name, text);
    const query = new URLSearchParams('name=Rex&categoryId=7&status=');
    const map = new Map(query);
    for (const values of [form, query, map]) expect(parseNewPet(values)).to.deep.equal({ name: 'Rex', categoryId: 7n });
    expect(parseNewPet(new URLSearchParams('name=Rex&categoryId=7&name=Tom')).name, 'the last one').to.equal('Tom');
  });

  it('ignores members that an animal does not have', () => {
    expect(parseNewPet({ name: 'Rex', categoryId: '7', id: '9', csrf: 'x' })).to.deep.equal({
      name: 'Rex',
      categoryId: 7n,
    });
  });

  it('does not read an array as the entries of an animal, because a client can send one', () => {
    for (const text of ['[]', '[1]', '[["name","Rex"],["categoryId",7]]'])
      expectFaults(JSON.parse(text), 'name', 'categoryId');
  });
});

describe('parsePet', () => {
  it('makes a frozen animal from texts and from JSON values', () => {
    for (const values of [
      { id: '1', name: 'Rex', categoryId: '7', status: '' },
      { id: 1, name: 'Rex', categoryId: 7, status: null },
      { id: 1n, name: 'Rex', categoryId: 7n },
    ]) {
      const pet = parsePet(values);
      expect(pet).to.deep.equal({ id: 1n, name: 'Rex', categoryId: 7n });
      expect(Object.isFrozen(pet)).to.equal(true);
    }
  });

  it('refuses an id that is not a positive int64, with every other fault', () => {
    for (const id of [undefined, null, '', '0', '-1', '01', 0, 1.5, 2 ** 64, INT64_MAX + 1n, String(INT64_MAX + 1n)])
      expect(() => parsePet({ id, name: '', categoryId: 7 }))
        .to.throw(AnimalStoreError)
        .that.deep.includes({
          code: 'invalid_pet',
          faults: [
            { member: 'id', rule: PET_ID_RULE },
            { member: 'name', rule: PET_MEMBERS.name.rule },
          ],
        });
  });

  it('names the faults of an animal whose id is valid', () => {
    expect(() => parsePet({ id: '1', name: 'Rex' })).to.throw(AnimalStoreError, /^categoryId must be an integer/);
  });

  it('refuses values that are not an object, as parseNewPet does', () => {
    for (const values of [undefined, null, 'name=Rex', 7])
      for (const parse of [parseNewPet, parsePet])
        expect(() => parse(values))
          .to.throw(AnimalStoreError)
          .that.deep.includes({ code: 'invalid_pet', faults: [], message: 'an animal must be an object' });
  });
});
