import { expect } from 'chai';
import fc from 'fast-check';
import { anyText } from '../../support/any-text.js';
import { expectError, petOf } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

/** A member of a body, in JSON. The service answers a valid one as it is. */
interface Member {
  readonly name: string;
  readonly json: string;
  readonly isValid: boolean;
}

const valid = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Member> =>
  values.map((json) => ({ name, json, isValid: true }));
const invalid = (name: string, ...values: readonly string[]): fc.Arbitrary<Member> =>
  fc.constantFrom(...values).map((json) => ({ name, json, isValid: false }));

const isName = (text: string): boolean => !text.includes('\0') && !/^\p{White_Space}*$/u.test(text);
const names = anyText({ maxLength: 20 }).filter(isName);
const members = fc.array(
  fc.oneof(
    valid(
      'name',
      names.map((name) => JSON.stringify(name)),
    ),
    invalid('name', '""', '" "', '"\\u0000"', '"\\ud83d"', '7', 'null'),
    valid('categoryId', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
    invalid('categoryId', '9223372036854775808', '1e400', '7.5', '"7"', 'null'),
    valid('status', fc.constantFrom('"available"', '"pending"', '"sold"')),
    invalid('status', 'null', '"lost"', '0'),
    fc
      .tuple(fc.constantFrom('id', '__proto__', 'constructor', 'x'), fc.json())
      .map(([name, json]) => ({ name, json, isValid: false })),
  ),
  { maxLength: 7 },
);

/** The expected answer without the id; `undefined` if the body is invalid. */
function expectedPet(body: readonly Member[]): string | undefined {
  const last = ['name', 'categoryId', 'status'].map((name) => body.findLast((member) => member.name === name));
  const isPet = last.every((member, i) => member?.isValid ?? i === 2);
  return isPet ? last.flatMap((member) => (member ? [`"${member.name}":${member.json}`] : [])).join(',') : undefined;
}

const BODY = Buffer.from('{"name":"R\\u00e9x","categoryId":7.0e0,"status":"sold","x":[{"a":null}]}');
const bytes = fc.oneof(
  fc.json().map((json) => Buffer.from(json)),
  fc.uint8Array({ maxLength: 100 }),
  fc
    .array(fc.tuple(fc.nat(BODY.length - 1), fc.nat(255)), { minLength: 1, maxLength: 3 })
    .map((places) => places.reduce((changed, [at, byte]) => changed.fill(byte, at, at + 1), Buffer.from(BODY))),
);

/** Property-based tests of bodies. */
export function declareBodyProperties(service: GetService, numRuns: number): void {
  describe('any body', () => {
    it('makes an animal if the last of each member is valid, which is kept, and is answered 400 otherwise', async () => {
      const property = fc.asyncProperty(members, async (body) => {
        const expected = expectedPet(body);
        const response = await post(service(), `{${body.map(({ name, json }) => `"${name}":${json}`).join(',')}}`);
        if (expected === undefined) return void expectError(response, 400, 'invalid_body');
        const { id } = petOf(response, 201);
        expect(response.text).to.equal(`{"id":${id},${expected}}`);
        expect((await get(service(), `/pets/${id}`)).text).to.equal(response.text);
      });
      await fc.assert(property, { numRuns });
    });

    it('makes an animal or is answered 400, whatever its bytes', async () => {
      const property = fc.asyncProperty(bytes, async (body) => {
        const response = await post(service(), body);
        if (response.status === 201) petOf(response, 201);
        else expectError(response, 400, 'invalid_body');
      });
      await fc.assert(property, { numRuns });
    });
  });
}
