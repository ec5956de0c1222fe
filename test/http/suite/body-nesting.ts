import { petOf, expectError } from '../expectations.js';
import { post, type GetService } from '../service.js';

const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => '{"a":'.repeat(depth) + '0' + '}'.repeat(depth);

/** The tests of deeply nested bodies. */
export function declareBodyNesting(service: GetService): void {
  describe('a deeply nested body', () => {
    for (const [what, json] of [
      ['30,000 arrays', arrays(30_000)],
      ['10,000 objects', objects(10_000)],
    ] as const) {
      it(`is refused with ${what}, in a member or alone, and if they do not end`, async () => {
        const half = json.slice(0, json.length / 2);
        for (const member of ['x', '__proto__', 'name']) {
          expectError(await post(service(), `{"name":"Rex","categoryId":7,"${member}":${json}}`), 400, 'invalid_body');
        }
        for (const body of [json, half]) expectError(await post(service(), body), 400, 'invalid_body');
      });
    }

    it('may contain 90 levels in an unknown member, and in a name that a later one replaces', async () => {
      for (const json of [arrays(90), objects(90)]) {
        petOf(await post(service(), `{"name":${json},"name":"Rex","x":${json},"categoryId":7}`), 201);
      }
    });
  });
}
