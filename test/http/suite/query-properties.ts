import { expect } from 'chai';
import fc from 'fast-check';
import { before as justBefore, createPets, expectError, listedIds, petsOf, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';
import { anyText } from '../../support/any-text.js';

const INT64_MAX = 2n ** 63n - 1n;
const STATUSES: readonly string[] = ['available', 'pending', 'sold'];

/** Whether a decoded value is valid, for each parameter. */
const VALID = new Map<string, (value: string) => boolean>([
  ['limit', (value) => /^([1-9]\d?|100)$/.test(value)],
  ['status', (value) => STATUSES.includes(value)],
  [
    'after',
    (value) => /^(0|-?[1-9]\d{0,18})$/.test(value) && BigInt(value) <= INT64_MAX && BigInt(value) >= ~INT64_MAX,
  ],
]);

const values = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -2, max: 120 }).map(String) },
  { weight: 3, arbitrary: fc.constantFrom(...STATUSES) },
  { weight: 1, arbitrary: fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }).map(String) },
  { weight: 1, arbitrary: fc.constantFrom('', '007', '-0', '1.0', '1e1', '٥', 'Sold', 'null', '\0', '\ud83d\ude00') },
  { weight: 1, arbitrary: anyText({ maxLength: 10 }) },
);
const names = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('limit', 'status', 'after') },
  { weight: 2, arbitrary: fc.constantFrom('__proto__', 'constructor', 'Limit', 'limit[]', 'x', '') },
);
const pairs = fc.array(fc.tuple(names, values), { maxLength: 4 });

function expectedStatus(query: readonly (readonly [string, string])[]): number {
  for (const [name, isValid] of VALID) {
    const given = query.filter(([other]) => other === name);
    if (given.length > 1 || given.some(([, value]) => !isValid(value))) return 400;
  }
  return 200;
}

/** Encodes every code point, or only those that a query needs encoded. */
function encoded(text: string, all: boolean): string {
  if (!all) return encodeURIComponent(text);
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Tests of the query of `listPets`. */
export function declareQueryProperties(service: GetService, numRuns: number): void {
  describe('the query of listPets', () => {
    it('may ask for 100 animals, in 15 KB of other parameters', async () => {
      const pets = await createPets(service(), 101);
      const ids = pets.slice(0, 100).map(({ id }) => id);
      const query = `${'__proto__=1&'.repeat(1250)}limit=100&after=${justBefore(pets[0] as PetText)}`;
      expect(await listedIds(service(), query)).to.deep.equal(ids);
    });

    it('is answered 200 if each known parameter is there once and valid, or not at all, and 400 otherwise', async () => {
      const property = fc.asyncProperty(pairs, fc.boolean(), async (query, all) => {
        const text = query.map(([name, value]) => `${encoded(name, all)}=${encoded(value, all)}`).join('&');
        const response = await get(service(), `/pets?${text}`);
        if (expectedStatus(query) === 400) return void expectError(response, 400, 'invalid_parameter');
        expect(response.status, response.text).to.equal(200);
        const limit = Number(query.find(([name]) => name === 'limit')?.[1] ?? 20);
        expect(petsOf(response.text).length).to.be.at.most(limit);
      });
      await fc.assert(property, { numRuns });
    });

    it('is answered 200 or 400, whatever its bytes', async () => {
      const unit = fc.constantFrom(...Array.from('limtsau=&%?;+09aFz[]"\'<>\\^`{|}~/:@'));
      const property = fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (query) => {
        expect((await get(service(), `/pets?${query}`)).status).to.be.oneOf([200, 400]);
      });
      await fc.assert(property, { numRuns });
    });
  });
}
