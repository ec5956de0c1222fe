import { expect } from 'chai';
import { createPet, expectError, petOf } from '../expectations.js';
import { post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests that a body reaches an operation as it was sent. */
export function declareTransfer(service: GetService): void {
  describe('the body that an operation gets', () => {
    for (const [how, chunked] of Object.entries({ 'with its length': false, 'in chunks': true })) {
      it(`is every byte, ${how}`, async () => {
        const body = '{"name":"é\u2028😀","categoryId":-9223372036854775808,"status":"sold"}';
        const response = await post(service(), body, { chunked });
        expect(response.text).to.equal(`{"id":${petOf(response, 201).id},${body.slice(1)}`);
      });

      it(`has characters on the border of two pieces, ${how}`, async () => {
        const name = `${'é'.repeat(7)}😀`;
        const fill = '"x":"'.padEnd(15_983, 'x');
        const response = await post(service(), `{${fill}","name":"${name}","categoryId":7}`, { chunked });
        expect(petOf(response, 201).name).to.equal(name);
      });

      it(`has no media type if none was sent, and may be empty, ${how}`, async () => {
        expectError(await post(service(), BODY, { chunked, contentType: null }), 415, 'unsupported_media_type');
        expectError(await post(service(), '', { chunked }), 400, 'invalid_body');
      });
    }
  });
}

const nested = (begin: string, middle: string, end: string, depth: number): string =>
  begin.repeat(depth) + middle + end.repeat(depth);

/** The tests of what the service settles beyond the published contract: how deep JSON may be, and odd media types. */
export function declareBodies(service: GetService): void {
  describe('the body of createPet', () => {
    it('may nest values that are ignored, 90 deep, but not 30,000', async () => {
      for (const deep of [nested('[', '', ']', 90), nested('{"a":', '0', '}', 90)]) {
        await createPet(service(), `{"name":${deep},"name":"Rex","x":${deep},"categoryId":7}`);
      }
      const body = `{"name":"Rex","categoryId":7,"x":${nested('[', '', ']', 30_000)}}`;
      expectError(await post(service(), body), 400, 'invalid_body');
    });

    it('may begin with a byte order mark', async () => {
      petOf(await post(service(), `\ufeff${BODY}`), 201);
    });

    for (const parameters of [
      ' ; charset="utf\\-8"',
      '; profile="a;b=\\"c"; charset=utf-8',
      '; charset=utf-8; a="\\"; charset=utf-16\\""',
    ]) {
      it(`may be of the type application/json${parameters}`, async () => {
        petOf(await post(service(), BODY, { contentType: `application/json${parameters}` }), 201);
      });
    }

    for (const parameters of ['; charset=""', '; charset="utf-8', ', application/json']) {
      it(`must not be of the type application/json${parameters}`, async () => {
        const response = await post(service(), BODY, { contentType: `application/json${parameters}` });
        expectError(response, 415, 'unsupported_media_type');
      });
    }
  });
}
