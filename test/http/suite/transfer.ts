import { expect } from 'chai';
import { expectError, petOf } from '../expectations.js';
import { post, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests that a body reaches an operation as it was sent. */
export function declareTransfer(service: GetService): void {
  describe('the body that an operation gets', () => {
    for (const [how, chunked] of Object.entries({ 'with its length': false, 'in chunks': true })) {
      describe(how, () => {
        it('is every byte', async () => {
          const body = '{"name":"é\u2028😀","categoryId":-9223372036854775808,"status":"sold"}';
          const answer = await post(service(), body, { chunked });
          expect(answer.text).to.equal(`{"id":${petOf(answer, 201).id},${body.slice(1)}`);
        });

        it('is a character on the border of two chunks', async () => {
          const name = `${'é'.repeat(7)}😀`;
          const fill = '"x":"'.padEnd(15_983, 'x');
          const answer = await post(service(), `{${fill}","name":"${name}","categoryId":7}`, { chunked });
          expect(petOf(answer, 201).name).to.equal(name);
        });

        it('has no media type if none was sent', async () => {
          expectError(await post(service(), BODY, { chunked, contentType: null }), 415, 'unsupported_media_type');
        });

        it('is nothing if the body is empty', async () => {
          expectError(await post(service(), '', { chunked }), 400, 'invalid_body');
        });
      });
    }
  });
}
