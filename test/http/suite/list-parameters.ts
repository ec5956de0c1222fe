import { expect } from 'chai';
import fc from 'fast-check';
import { before as justBefore, createPet, expectError, listedIds, petsOf, type PetText } from '../expectations.js';
import { get, type GetService } from '../service.js';
import { anyText } from '../../support/any-text.js';

const INT64_MAX = 2n ** 63n - 1n;
const STATUSES: readonly string[] = ['available', 'pending', 'sold'];

/** Values that each parameter refuses, as they are in the query. */
const REFUSED = {
  limit: '0 101 007 +5 %2B5 5.0 %D9%A5 5%20 5%0A 5%00 5,6 18446744073709551621 %zz 5% %FF 5?status=sold =5'.split(' '),
  status: 'lost Available sold%20 +sold sold,pending %zz sold%FF __proto__'.split(' '),
  after: '9223372036854775808 -9223372036854775809 +1 %2B1 1.0 %D9%A1 1+ %zz 1%C0'.split(' '),
};
/** A value that each parameter accepts, and its name with a letter encoded. */
const ACCEPTED = { limit: ['5', '%6cimit'], status: ['sold', 'statu%73'], after: ['1', '%61fter'] } as const;

const IGNORED = [
  'x=1&x=2',
  '__proto__=1&__proto__=2',
  'constructor=1&toString=3',
  'limit[]=1',
  'LIMIT=0&Status=lost',
  'after%20=x&%20limit=0',
  '%FF=%FF&x=%00',
  '=0&=&==&',
  'x;limit=0',
  'x=?limit=0',
  '?limit=0',
];

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
  { weight: 1, arbitrary: anyText({ maxLength: 5 }) },
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

/** The tests of the query of `listPets`. */
export function declareListParameters(service: GetService, numRuns: number): void {
  describe('the query of listPets', () => {
    let pets: PetText[];
    before(async () => {
      pets = [];
      for (let i = 0; i < 102; i++) {
        const status = [...STATUSES, undefined][i % 4];
        pets.push(await createPet(service(), JSON.stringify({ name: 'Rex', categoryId: 7, status })));
      }
    });

    const from = (first: number, end: number): string[] => pets.slice(first, end).map(({ id }) => id);
    /** The ids in the answer to a query, of the animals of this suite. */
    const listed = async (query: string): Promise<string[]> =>
      listedIds(service(), `${query}&after=${justBefore(pets[0] as PetText)}`);

    for (const [query, count] of [
      ['', 20],
      ['limit=1', 1],
      ['limit=9', 9],
      ['limit=100', 100],
      ['limit=%31%30', 10],
      ['%6Cimi%74=3', 3],
    ] as const) {
      it(`lists ${count} animals for ?${query}`, async () => {
        expect(await listed(query)).to.deep.equal(from(0, count));
      });
    }

    for (const status of STATUSES) {
      it(`lists the animals that are ${status}, and no other`, async () => {
        const all = pets.filter((pet) => pet.status === status).map(({ id }) => id);
        expect(await listed(`status=${status}&limit=100`)).to.deep.equal(all);
        expect(await listed(`st%61tus=%${status.charCodeAt(0).toString(16)}${status.slice(1)}&limit=2`)).to.deep.equal(
          all.slice(0, 2),
        );
      });
    }

    it('lists animals whose id is greater than after', async () => {
      expect(await listedIds(service(), `limit=4&after=${pets[0]?.id}`)).to.deep.equal(from(1, 5));
      for (const last of [pets[101]?.id, INT64_MAX]) {
        expect(await listedIds(service(), `after=${last}`)).to.deep.equal([]);
      }
    });

    for (const after of ['-9223372036854775808', '-9007199254740993', '-1', '0', '%30', '-%31']) {
      it(`lists from the first animal on after ${after}`, async () => {
        const fromTheFirst = await listedIds(service(), 'limit=2');
        expect(fromTheFirst).to.have.length(2);
        expect(await listedIds(service(), `limit=2&after=${after}`)).to.deep.equal(fromTheFirst);
      });
    }

    for (const name of ['limit', 'status', 'after'] as const) {
      const [valid, encodedName] = ACCEPTED[name];
      const invalid = ['', ...REFUSED[name]].map((value) => `${name}=${value}`);
      const twice = [name, `${name}=${valid}`, `${encodedName}=${valid}`].map((second) => `${name}=${valid}&${second}`);
      for (const query of [name, ...invalid, ...twice]) {
        it(`is refused, by naming ${name}: ?${query}`, async () => {
          const message = expectError(await get(service(), `/pets?${query}`), 400, 'invalid_parameter');
          expect(message).to.contain(name);
        });
      }
    }

    for (const query of IGNORED) {
      it(`may contain other parameters, which are ignored: ?${query}`, async () => {
        expect(await listed(`${query}&limit=3`), 'before the known ones').to.deep.equal(from(0, 3));
        expect(await listed(`limit=3&${query}`), 'after the known ones').to.deep.equal(from(0, 3));
      });
    }

    it('may have 15 KB of other parameters around the known ones', async () => {
      const many = Array.from({ length: 945 }, (_, i) => `p${1000 + i}=__proto__`).join('&');
      for (const others of [many, '__proto__=1&'.repeat(1250), '&'.repeat(15_000)]) {
        expect(await listed(`${others}&limit=3`)).to.deep.equal(from(0, 3));
      }
      const second = await get(service(), `/pets?limit=1&${'x=1&'.repeat(3750)}limit=1`);
      expectError(second, 400, 'invalid_parameter');
    });

    it('is answered 200 if each known parameter is there once and valid, or not at all, and 400 otherwise', async () => {
      await fc.assert(
        fc.asyncProperty(pairs, fc.boolean(), async (query, all) => {
          const text = query.map(([name, value]) => `${encoded(name, all)}=${encoded(value, all)}`).join('&');
          const answer = await get(service(), `/pets?${text}`);
          if (expectedStatus(query) === 400) return void expectError(answer, 400, 'invalid_parameter');
          expect(answer.status, answer.text).to.equal(200);
          const limit = Number(query.find(([name]) => name === 'limit')?.[1] ?? 20);
          expect(petsOf(answer.text).length).to.be.at.most(limit);
        }),
        { numRuns },
      );
    });

    it('is never answered 5xx, whatever its bytes', async () => {
      const unit = fc.constantFrom(...Array.from('limtsau=&%?;+09aFz[]"\'<>\\^`{|}~/:@'));
      await fc.assert(
        fc.asyncProperty(fc.string({ unit, maxLength: 60 }), async (query) => {
          expect((await get(service(), `/pets?${query}`)).status).to.be.oneOf([200, 400]);
        }),
        { numRuns },
      );
    });
  });
}
