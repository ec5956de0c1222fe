import { expect } from 'chai';
import { createPet, expectError } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

const INTEGERS: Record<string, string> = {
  '7': '7',
  '-7.00e2': '-700',
  '-0.0e5': '0',
  '9007199254740993': '9007199254740993',
  '9.223372036854775807e18': '9223372036854775807',
  '-9223372036854775808': '-9223372036854775808',
};

const NO_INTEGERS: readonly string[] = [
  '7.5',
  '1e-400',
  '9223372036854775807.0000000000000000000001',
  '9223372036854775808',
  '-9223372036854775809',
  '1e400',
  '9'.repeat(60_000),
  '"7"',
  'null',
  '[7]',
  '{"value":7}',
];

const NO_JSON: readonly string[] = ['07', '7.', '0x7', '7n', 'NaN', '7 7', ''];

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
      it(`refuses ${json.slice(0, 50)}`, async () => {
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

    it('may stand between white space', async () => {
      expect((await createPet(service(), '{"name":"Rex","categoryId" :\n\t7\r\n}')).categoryId).to.equal('7');
    });
  });
}
