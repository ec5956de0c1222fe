import { expect } from 'chai';
import fc from 'fast-check';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { AnimalStoreError } from '../../src/domain/errors.js';
import { INT64_MAX, INT64_MIN, INT64_RULE, int64RuleFor, parseInt64, toInt64 } from '../../src/domain/int64.js';
import { parseNewPet, parsePet } from '../../src/domain/parse-pet.js';
import { rejectionOf } from '../support/rejection-of.js';

const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX });
const beyond = fc.oneof(fc.bigInt({ min: INT64_MAX + 1n }), fc.bigInt({ max: INT64_MIN - 1n }));

function check<T>(values: fc.Arbitrary<T>, expectOf: (value: T) => unknown): void {
  fc.assert(fc.property(values, (value) => void expectOf(value)));
}

describe('parseInt64', () => {
  it('reads back every int64 that is written in decimal', () => {
    expect(parseInt64('9223372036854775807')).to.equal(INT64_MAX);
    expect(parseInt64('-9223372036854775808')).to.equal(INT64_MIN);
    check(int64, (value) => expect(parseInt64(String(value))).to.equal(value));
  });

  it('refuses every integer beyond the range', () => {
    expect(parseInt64('9223372036854775808')).to.equal(undefined);
    expect(parseInt64('-9223372036854775809')).to.equal(undefined);
    check(beyond, (value) => expect(parseInt64(String(value))).to.equal(undefined));
  });

  it('refuses every text that is not canonical', () => {
    for (const text of ['', '-', '+1', '01', '-0', ' 1', '1 ', '1\n', '1.0', '1e3', '0x1', '1_0', '1n', '١']) {
      expect(parseInt64(text), JSON.stringify(text)).to.equal(undefined);
    }
    const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-+. e')), maxLength: 21 });
    check(fc.oneof(digits, fc.string()), (text) => expect([undefined, text]).to.include(parseInt64(text)?.toString()));
  });
});

describe('toInt64', () => {
  it('keeps every bigint in range, and every safe integer', () => {
    check(int64, (value) => expect(toInt64(value)).to.equal(value));
    check(fc.maxSafeInteger(), (value) => expect(toInt64(value)).to.equal(BigInt(value)));
  });

  it('refuses every bigint beyond the range, every number that may have been rounded, and everything else', () => {
    check(beyond, (value) => expect(toInt64(value)).to.equal(undefined));
    const others = [2 ** 53, -(2 ** 53), 2 ** 63, 1.5, NaN, Infinity, '7', null, undefined, true, [], {}, new Date(0)];
    for (const value of others) expect(toInt64(value)).to.equal(undefined);
  });
});

describe('a number that may have been rounded', () => {
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  const rounded = 2 ** 60;

  for (const [place, use] of Object.entries<() => unknown>({
    'createPet, as categoryId': async () => store.createPet({ name: 'Rex', categoryId: rounded }),
    'parseNewPet, as categoryId': async () => parseNewPet({ name: 'Rex', categoryId: rounded }),
    'parsePet, as id': async () => parsePet({ id: rounded, name: 'Rex', categoryId: 7 }),
    'listPets, as after': async () => store.listPets({ after: rounded }),
  })) {
    it(`is refused by ${place}, with a rule that says how to pass it`, async () => {
      const { faults } = (await rejectionOf(use() as Promise<unknown>)) as AnimalStoreError;
      expect(faults).to.have.length(1);
      expect(faults[0]?.rule).to.match(/^must be a safe integer if it is a number: pass a bigint/);
    });
  }

  it('has another rule than a value that is no int64', () => {
    for (const value of [7.5, NaN, 2 ** 64, '7', 2n ** 64n]) expect(int64RuleFor(value)).to.equal(INT64_RULE);
  });
});
