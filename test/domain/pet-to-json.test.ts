import { expect } from 'chai';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { parsePet } from '../../src/domain/parse-pet.js';
import { petToJson } from '../../src/domain/pet-to-json.js';
import { makePet } from '../../src/domain/pet.js';
import { samplePets } from '../contracts/pet-samples.js';

describe('petToJson', () => {
  it('writes the members of an animal, its integers as texts, in their order', () => {
    const pet = makePet(INT64_MAX, { name: 'Rex', categoryId: INT64_MIN, status: 'sold' });
    expect(JSON.stringify(petToJson(pet))).to.equal(
      '{"id":"9223372036854775807","name":"Rex","categoryId":"-9223372036854775808","status":"sold"}',
    );
  });

  it('leaves out a missing status', () => {
    const pet = makePet(1n, { name: 'Rex', categoryId: 7n });
    expect(petToJson(pet)).to.deep.equal({ id: '1', name: 'Rex', categoryId: '7' });
  });

  it('writes what parsePet reads back from JSON, for every value that a member may have', () => {
    for (const [i, newPet] of samplePets().entries()) {
      const pet = makePet(BigInt(i + 1), newPet);
      expect(parsePet(JSON.parse(JSON.stringify(petToJson(pet))))).to.deep.equal(pet);
    }
  });
});
