import { expect } from 'chai';
import fc from 'fast-check';
import { HttpError } from '../../../../src/adapters/http/errors.js';
import { compileNewPetCheck } from '../../../../src/adapters/http/json/new-pet-check.js';
import { petJson, petsJson } from '../../../../src/adapters/http/json/pet-json.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import { makeNewPet, makePet } from '../../../../src/domain/pet.js';
import { anyText } from '../../../support/any-text.js';

const check = compileNewPetCheck();

/** Valid and invalid values for each member of a body, with the edges of the rules. */
const body = fc.record(
  {
    name: fc.oneof(
      anyText({ maxLength: 20 }),
      fc.string({ unit: fc.constantFrom(' ', '\t', '\u0085', '\u3000', '\ufeff', 'a') }),
      fc.constantFrom(
        '',
        '\0',
        'a\0',
        '\ud800',
        'a\udc00',
        '😀'.repeat(1024),
        '😀'.repeat(1025),
        'a'.repeat(1024),
        'a'.repeat(1025),
      ),
      fc.constantFrom(null, true, 7n, [], {}),
    ),
    categoryId: fc.oneof(
      fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }),
      fc.constantFrom(2n ** 63n, 2n ** 63n - 1n, -(2n ** 63n), -(2n ** 63n) - 1n, Number.NaN, '7', null),
    ),
    status: fc.constantFrom('available', 'pending', 'sold', 'Sold', '', null, 7n),
    id: fc.bigInt(),
  },
  { requiredKeys: [] },
);

function errorOf(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (error) {
    return error;
  }
}

describe('the check of a new pet in a body', () => {
  it('accepts exactly what the domain accepts', () => {
    fc.assert(
      fc.property(body, (value) => {
        const byDomain = errorOf(() => makeNewPet(value as never));
        const bySchema = errorOf(() => check(value));
        if (byDomain === undefined) expect(bySchema).to.equal(undefined);
        else {
          expect(byDomain).to.be.instanceOf(AnimalStoreError);
          expect(bySchema).to.be.instanceOf(HttpError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('names every member at fault', () => {
    expect(() => check({ name: '', categoryId: '7', status: null }))
      .to.throw(HttpError)
      .with.property('message')
      .that.matches(/name must be .*; categoryId must be .*; status must be /);
  });

  it('names every member that is missing', () => {
    expect(() => check({})).to.throw(HttpError, 'name is required; categoryId is required');
  });

  it('says that the body must be an object', () => {
    for (const value of [null, [], 'x', 7n, true])
      expect(() => check(value)).to.throw(HttpError, 'the body must be a JSON object');
  });

  it('names a member that breaks several rules only once', () => {
    const { message } = errorOf(() => check({ name: '\0', categoryId: 7n })) as HttpError;
    expect(message.match(/name/g)).to.have.length(1);
  });
});

describe('petsJson', () => {
  const pets = ['Rex', 'Tom', 'Tweety'].map((name, i) => makePet(BigInt(i + 1), makeNewPet({ name, categoryId: 7n })));

  it('is an array of the texts of the animals, in their order', () => {
    expect(petsJson(pets)).to.equal(`[${pets.map(petJson).join(',')}]`);
  });

  it('is an empty array for none', () => {
    expect(petsJson([])).to.equal('[]');
  });
});
