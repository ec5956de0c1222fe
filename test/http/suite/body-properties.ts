import { expect } from 'chai';
import fc from 'fast-check';
import { expectError, petOf } from '../expectations.js';
import { get, post, type GetService, type Service } from '../service.js';
import { anyText } from '../../support/any-text.js';

/** The JSON of a value, and the value that the service must answer; none if the value is invalid. */
interface Value {
  readonly json: string;
  readonly answered?: string;
}
/** A member of a body. */
interface Member extends Value {
  readonly name: string;
}

const INT64_MAX = 2n ** 63n - 1n;
const isInt64 = (value: bigint): boolean => value <= INT64_MAX && value >= ~INT64_MAX;
const ofInteger = (value: bigint, json: string): Value =>
  isInt64(value) ? { json, answered: String(value) } : { json };

const integers = fc
  .oneof(fc.bigInt({ min: -(2n ** 63n) - 3n, max: 2n ** 63n + 2n }), fc.bigInt({ min: -20n, max: 20n }))
  .chain((value) =>
    fc.nat(25).map((zeros) => {
      const forms = [
        String(value),
        `${value}.${'0'.repeat(zeros + 1)}`,
        `${value}${value === 0n ? '' : '0'.repeat(zeros)}e-${zeros}`,
        `${value}E+0`,
      ];
      return ofInteger(value, forms[zeros % forms.length] ?? '');
    }),
  );
const multiples = fc
  .tuple(fc.bigInt({ min: -999n, max: 999n }), fc.nat(22))
  .map(([value, zeros]) => ofInteger(value * 10n ** BigInt(zeros), `${value}e${zeros}`));
const fractions = fc
  .tuple(fc.bigInt(), fc.nat(30), fc.integer({ min: 1, max: 9 }))
  .map(([whole, zeros, digit]): Value => ({ json: `${whole}.${'0'.repeat(zeros)}${digit}` }));
const others = fc
  .oneof(fc.json(), fc.constantFrom('null', '""', '[]', '{}', 'true'))
  .filter((json) => !/^-?\d/.test(json));
const categoryIds = fc.oneof(
  integers,
  multiples,
  fractions,
  others.map((json): Value => ({ json })),
);

const isName = (text: string): boolean =>
  text.isWellFormed() && !text.includes('\0') && [...text].length <= 1024 && !/^\p{White_Space}*$/u.test(text);
const texts = fc.oneof(
  anyText({ maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(' ', '\t', '\u3000', '\ud83d', '\ude00', '\0', 'é'), maxLength: 4 }),
  fc.tuple(fc.constantFrom('x', '😀', ' '), fc.integer({ min: 1020, max: 1028 })).map(([unit, n]) => unit.repeat(n)),
);
const names = fc.oneof(
  {
    weight: 6,
    arbitrary: texts.map((text): Value => ({
      json: JSON.stringify(text),
      ...(isName(text) && { answered: JSON.stringify(text) }),
    })),
  },
  { weight: 1, arbitrary: fc.constantFrom('7', 'null', '["Rex"]', '{}').map((json): Value => ({ json })) },
);

const statuses = fc.oneof(
  fc.constantFrom('"available"', '"pending"', '"sold"').map((json): Value => ({ json, answered: json })),
  fc.constantFrom('null', '"lost"', '""', '0', '["sold"]', '"SOLD"').map((json): Value => ({ json })),
);

const member = (name: string, values: fc.Arbitrary<Value>): fc.Arbitrary<Member> =>
  values.map((value) => ({ name, ...value }));
const members = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: member('name', names) },
    { weight: 3, arbitrary: member('categoryId', categoryIds) },
    { weight: 1, arbitrary: member('status', statuses) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('id', '__proto__', 'constructor', 'x').chain((name) =>
        member(
          name,
          fc.json().map((json) => ({ json })),
        ),
      ),
    },
  ),
  { maxLength: 7 },
);

/** The expected answer without the id; nothing if the body is invalid. */
function expectedPet(body: readonly Member[]): string | undefined {
  const last = (name: string): Member | undefined => body.findLast((other) => other.name === name);
  const [name, categoryId, status] = [last('name'), last('categoryId'), last('status')];
  if (name?.answered === undefined || categoryId?.answered === undefined) return undefined;
  if (status && status.answered === undefined) return undefined;
  return `"name":${name.answered},"categoryId":${categoryId.answered}${status ? `,"status":${status.answered}` : ''}`;
}

/** Sends a body, and asserts that it makes an animal, which is kept, if it is valid. */
async function check(service: Service, body: readonly Member[]): Promise<void> {
  const expected = expectedPet(body);
  const answer = await post(service, `{${body.map(({ name, json }) => `"${name}":${json}`).join(',')}}`);
  if (expected === undefined) return void expectError(answer, 400, 'invalid_body');
  const { id } = petOf(answer, 201);
  expect(answer.text).to.equal(`{"id":${id},${expected}}`);
  expect((await get(service, `/pets/${id}`)).text).to.equal(answer.text);
}

/** Property-based tests that a store keeps what bodies have. */
export function declareKeptBodies(service: GetService, numRuns: number): void {
  describe('any value', () => {
    it('makes an animal with any valid name, kept exactly, and with no other', async () => {
      const categoryId: Member = { name: 'categoryId', json: '7', answered: '7' };
      const property = fc.asyncProperty(member('name', names), async (name) => check(service(), [name, categoryId]));
      await fc.assert(property, { numRuns });
    });

    it('makes an animal with any number that is a whole int64, kept exactly, and with no other', async () => {
      const name: Member = { name: 'name', json: '"Rex"', answered: '"Rex"' };
      const property = fc.asyncProperty(member('categoryId', categoryIds), async (id) => check(service(), [name, id]));
      await fc.assert(property, { numRuns });
    });
  });
}

/** Property-based tests of bodies. */
export function declareBodyProperties(service: GetService, numRuns: number): void {
  describe('any body', () => {
    it('makes an animal if the last of each member is valid, and is answered 400 otherwise', async () => {
      await fc.assert(
        fc.asyncProperty(members, async (body) => check(service(), body)),
        { numRuns },
      );
    });

    it('is answered 400 if it is other JSON', async () => {
      await fc.assert(
        fc.asyncProperty(fc.json(), async (json) => {
          expectError(await post(service(), json), 400, 'invalid_body');
        }),
        { numRuns },
      );
    });

    it('is answered 400 if it is not JSON, whatever its bytes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 100 }), async (bytes) => {
          expectError(await post(service(), bytes), 400, 'invalid_body');
        }),
        { numRuns },
      );
    });

    it('makes an animal or is answered 400 if some of its bytes are changed', async () => {
      const body = Buffer.from('{"name":"R\\u00e9x","categoryId":7.0e0,"status":"sold","x":[{"a":null}]}');
      const changes = fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 });
      await fc.assert(
        fc.asyncProperty(changes, async (places) => {
          const changed = Buffer.from(body);
          for (const [at, byte] of places) changed[at] = byte;
          const answer = await post(service(), changed);
          if (answer.status === 201) petOf(answer, 201);
          else expectError(answer, 400, 'invalid_body');
        }),
        { numRuns },
      );
    });
  });
}
