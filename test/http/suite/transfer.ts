import { expect } from 'chai';
import { createPet, expectError, petOf } from '../expectations.js';
import { get, post, request, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests that queries, bodies and repeated header fields reach an operation as they were sent. */
export function declareTransfer(service: GetService): void {
  describe('the request that an operation gets', () => {
    it('is the query with its escapes', async () => {
      for (let i = 0; i < 2; i++) await createPet(service());
      const link = (await get(service(), '/pets?%6cimit=%31&after=%2D1&x=%zz&limit2=%2B')).header('Link');
      expect(link).to.match(/^<[^?]+\?limit=1&after=\d+>; rel="next"$/);
      expectError(await get(service(), '/pets?limit=%2B1'), 400, 'invalid_parameter');
    });

    for (const [how, chunked] of Object.entries({ 'with its length': false, 'in chunks': true })) {
      describe(`of a body ${how}`, () => {
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

    it('is nothing if there is no body', async () => {
      const target = `${service().basePath}/pets`;
      expectError(await request(service(), 'POST', target), 400, 'invalid_body');
      expectError(await request(service(), 'POST', target, { contentType: 'application/json' }), 400, 'invalid_body');
    });

    it('is every field of a name', async () => {
      const headers = [
        ['Content-Encoding', 'identity'],
        ['Content-Encoding', 'gzip'],
      ] as const;
      expectError(await post(service(), BODY, { headers }), 415, 'unsupported_media_type');
    });
  });
}
