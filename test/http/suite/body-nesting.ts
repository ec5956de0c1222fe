import { petOf, expectError } from '../expectations.js';
import { post, type GetService } from '../service.js';

const arrays = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number): string => '{"a":'.repeat(depth) + '0' + '}'.repeat(depth);

/** The tests of deeply nested bodies. */
export function declareBodyNesting(service: GetService): void {
  describe('a deeply nested body', () => {
    const nested: Record<string, string> = {
      '30,000 arrays': arrays(30_000),
      '10,000 objects': objects(10_000),
      '7,000 arrays of objects': '[{"a":'.repeat(7000) + '0' + '}]'.repeat(7000),
    };
    for (const [what, json] of Object.entries(nested)) {
      it(`is refused with ${what} in an unknown member`, async () => {
        for (const member of ['x', '__proto__']) {
          const body = `{"${member}":${json},"name":"Rex","categoryId":7}`;
          expectError(await post(service(), body), 400, 'invalid_body');
        }
      });

      it(`is refused with ${what} in a member of an animal`, async () => {
        for (const member of ['name', 'categoryId', 'status']) {
          const body = `{"name":"Rex","categoryId":7,"${member}":${json}}`;
          expectError(await post(service(), body), 400, 'invalid_body');
        }
      });

      it(`is refused if it is only ${what}`, async () => {
        expectError(await post(service(), json), 400, 'invalid_body');
      });

      it(`is refused with ${what} that do not end`, async () => {
        const half = json.slice(0, json.length / 2);
        expectError(await post(service(), half), 400, 'invalid_body');
        expectError(await post(service(), `{"name":"Rex","categoryId":7,"x":${half}}`), 400, 'invalid_body');
      });
    }

    it('may contain 90 levels in an unknown member, and in a name that a later one replaces', async () => {
      for (const json of [arrays(90), objects(90)]) {
        petOf(await post(service(), `{"name":${json},"name":"Rex","x":${json},"categoryId":7}`), 201);
      }
    });
  });
}
