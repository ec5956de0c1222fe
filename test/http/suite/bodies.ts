import { createPet, expectError, petOf } from '../expectations.js';
import { post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

const nested = (begin: string, middle: string, end: string, depth: number): string =>
  begin.repeat(depth) + middle + end.repeat(depth);

const ACCEPTED_TYPES = [
  'application/json ; charset="utf\\-8"',
  'application/json; profile="a;b=\\"c"; charset=utf-8',
  'application/json; charset=utf-8; a="\\"; charset=utf-16\\""',
];
const REFUSED_TYPES = [
  'application/json; charset=""',
  'application/json; charset="utf-8',
  'application/json, application/json',
];

/** The tests of what the service settles beyond the published contract: how deep JSON may be, and odd media types. */
export function declareBodies(service: GetService): void {
  describe('the body of createPet', () => {
    it('may nest values that are ignored, 90 deep', async () => {
      for (const deep of [nested('[', '', ']', 90), nested('{"a":', '0', '}', 90)]) {
        await createPet(service(), `{"name":${deep},"name":"Rex","x":${deep},"categoryId":7}`);
      }
    });

    it('must not nest them 30,000 deep', async () => {
      const body = `{"name":"Rex","categoryId":7,"x":${nested('[', '', ']', 30_000)}}`;
      expectError(await post(service(), body), 400, 'invalid_body');
    });

    it('may begin with a byte order mark', async () => {
      petOf(await post(service(), `\ufeff${BODY}`), 201);
    });

    for (const contentType of ACCEPTED_TYPES) {
      it(`may be of the type ${contentType}`, async () => {
        petOf(await post(service(), BODY, { contentType }), 201);
      });
    }

    for (const contentType of REFUSED_TYPES) {
      it(`must not be of the type ${contentType}`, async () => {
        expectError(await post(service(), BODY, { contentType }), 415, 'unsupported_media_type');
      });
    }
  });
}
