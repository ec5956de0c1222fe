import { expect } from 'chai';
import { createPet, expectError } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

const INTEGERS: Record<string, string> = {
  '7': '7',
  '7.0': '7',
  '7.000': '7',
  '7e0': '7',
  '7E0': '7',
  '7e+0': '7',
  '7e-0': '7',
  '7.0e0': '7',
  '70e-1': '7',
  '0.7e1': '7',
  '0.07E+2': '7',
  '7e00000000000000000001': '70',
  '-7.00e2': '-700',
  '1e18': '1000000000000000000',
  '0': '0',
  '-0': '0',
  '0.0': '0',
  '-0.0e5': '0',
  '0e999999999999999999999': '0',
  '0e-999999999999999999999': '0',
  '9007199254740993': '9007199254740993',
  '9.007199254740993e15': '9007199254740993',
  '-9007199254740993': '-9007199254740993',
  '9223372036854775807': '9223372036854775807',
  '-9223372036854775808': '-9223372036854775808',
  '9223372036854775807.0': '9223372036854775807',
  '9223372036854775807e0': '9223372036854775807',
  '9.223372036854775807e18': '9223372036854775807',
  '-9.223372036854775808E+18': '-9223372036854775808',
  '922337203685477580700e-2': '9223372036854775807',
  '0.0000000000000000009223372036854775807e37': '9223372036854775807',
};

const NO_INTEGERS: readonly string[] = [
  '7.5',
  '0.5',
  '7e-1',
  '75e-1',
  '1e-400',
  '-1e-400',
  '1e-999999999999999999999',
  '7.0000000000000000001',
  '12345678901234.000000000000001',
  '9007199254740993.5',
  '9223372036854775806.5',
  '9223372036854775807.0000000000000000000001',
  '9223372036854775808',
  '9223372036854775808.0',
  '-9223372036854775809',
  '9.223372036854775808e18',
  '18446744073709551623',
  '1e19',
  '1e308',
  '1e400',
  '-1e400',
  '1e999999999999999999999',
  '"7"',
  '""',
  'true',
  'null',
  '[7]',
  '[]',
  '{}',
  '{"value":7}',
];

const NO_JSON: readonly string[] = [
  '+7',
  '07',
  '-07',
  '7.',
  '.7',
  '7e',
  '7e+',
  '0x7',
  '7n',
  '1_000',
  'NaN',
  'Infinity',
  '--7',
  '- 7',
  '7 7',
  '٧',
  '',
];

/** Numbers of some 60,000 characters, and the integer that each is, if any. */
const LONG: Record<string, readonly [json: string, integer: string | undefined]> = {
  '60,000 nines': ['9'.repeat(60_000), undefined],
  'minus and 60,000 nines': [`-${'9'.repeat(60_000)}`, undefined],
  '7 and 60,000 zeros after the point': [`7.${'0'.repeat(60_000)}`, '7'],
  '7, 60,000 zeros after the point, and 1': [`7.${'0'.repeat(60_000)}1`, undefined],
  '7 and 59,000 zeros, divided by 1e59000': [`7${'0'.repeat(59_000)}e-59000`, '7'],
  '7 and 59,000 zeros, divided by 1e59001': [`7${'0'.repeat(59_000)}e-59001`, undefined],
  '7 after 59,000 zeros, multiplied by 1e59001': [`0.${'0'.repeat(59_000)}7e59001`, '7'],
  '7 after 59,000 zeros, multiplied by 1e59000': [`0.${'0'.repeat(59_000)}7e59000`, undefined],
  'an exponent of 60,000 digits': [`7e${'9'.repeat(60_000)}`, undefined],
  'a negative exponent of 60,000 digits': [`7e-${'9'.repeat(60_000)}`, undefined],
  'zero with an exponent of 60,000 digits': [`0e${'9'.repeat(60_000)}`, '0'],
  'an exponent of 60,000 zeros': [`7e${'0'.repeat(60_000)}`, '7'],
  'an exponent of 60,000 zeros and 1': [`7e-${'0'.repeat(60_000)}1`, undefined],
};

/** The tests of which numbers are integers. */
export function declareBodyNumbers(service: GetService): void {
  const withCategory = (json: string): string => `{"name":"Rex","categoryId":${json}}`;

  describe('categoryId', () => {
    for (const [json, integer] of Object.entries(INTEGERS)) {
      it(`reads ${json} as ${integer}`, async () => {
        const { id, categoryId } = await createPet(service(), withCategory(json));
        expect(categoryId).to.equal(integer);
        expect((await get(service(), `/pets/${id}`)).text).to.equal(
          `{"id":${id},"name":"Rex","categoryId":${integer}}`,
        );
      });
    }

    for (const json of NO_INTEGERS) {
      it(`refuses ${json}`, async () => {
        const message = expectError(await post(service(), withCategory(json)), 400, 'invalid_body');
        expect(message)
          .to.contain('categoryId')
          .and.not.to.match(/\bname\b/);
      });
    }

    for (const json of NO_JSON) {
      it(`refuses ${json || 'a missing value'}, which is not JSON`, async () => {
        expectError(await post(service(), withCategory(json)), 400, 'invalid_body');
      });
    }

    for (const [what, [json, integer]] of Object.entries(LONG)) {
      it(`${integer ? 'takes' : 'refuses'} ${what}`, async () => {
        if (integer) expect((await createPet(service(), withCategory(json))).categoryId).to.equal(integer);
        else expectError(await post(service(), withCategory(json)), 400, 'invalid_body');
      });
    }

    it('may stand between white space', async () => {
      expect((await createPet(service(), '{"name":"Rex","categoryId" :\n\t7\r\n}')).categoryId).to.equal('7');
    });
  });
}
