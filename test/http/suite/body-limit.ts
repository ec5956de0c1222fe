import { expect } from 'chai';
import { expectError, petOf } from '../expectations.js';
import { onConnection } from '../../support/raw-connection.js';
import { post, requestBytes, type GetService, type RequestOptions } from '../service.js';

const LIMIT = 65_536;
const BODY = '{"name":"Rex","categoryId":7}';
const FRAMINGS = Object.entries({ 'with its length': false, 'in chunks': true });
const padded = (length: number): string => BODY.padEnd(length, ' ');

/** The tests of how large a body may be. */
export function declareBodyLimit(service: GetService): void {
  const bytes = (options: RequestOptions): Buffer =>
    requestBytes(service(), 'POST', `${service().basePath}/pets`, options);

  describe('the size of a body', () => {
    for (const [how, chunked] of FRAMINGS) {
      it(`may be 65,536 bytes, not characters, and no more, ${how}`, async () => {
        petOf(await post(service(), padded(LIMIT), { chunked }), 201);
        const characters = `{"x":"${'€'.repeat(LIMIT / 3)}","name":"Rex","categoryId":7}`;
        for (const body of [padded(LIMIT + 1), characters]) {
          const message = expectError(await post(service(), body, { chunked }), 413, 'body_too_large');
          expect(message).to.match(/65,?536/);
        }
      });

      it(`is a 413 whatever else is wrong with the request, ${how}`, async () => {
        const headers = [
          ['Idempotency-Key', '"'],
          ['Content-Encoding', 'gzip'],
        ] as const;
        expectError(await post(service(), padded(LIMIT + 1), { chunked, headers }), 413, 'body_too_large');
      });

      it(`leaves the connection usable, or ends it, ${how}`, async () => {
        await onConnection(service().port, async (connection) => {
          connection.send(bytes({ body: padded(LIMIT + 1), chunked }));
          const refused = await connection.receive();
          expectError(refused, 413, 'body_too_large');
          if (refused.header('Connection') === 'close') {
            expect(await connection.finished()).to.equal('');
            return;
          }
          connection.send(bytes({ body: BODY }));
          petOf(await connection.receive(), 201);
        });
      });
    }

    it('is checked by the announced length, before the body arrives', async () => {
      await onConnection(service().port, async (connection) => {
        const request = bytes({ body: padded(LIMIT + 1) });
        connection.send(request.subarray(0, request.indexOf('\r\n\r\n') + 4));
        expectError(await connection.receive(), 413, 'body_too_large');
      });
    });
  });
}

/** The tests of a server that lets a body arrive before it closes the connection, so that the client sees its response. */
export function declareBodiesUnread(service: GetService): void {
  const bytes = (options: RequestOptions): Buffer =>
    requestBytes(service(), 'POST', `${service().basePath}/pets`, options);

  for (const [how, chunked] of FRAMINGS) {
    it(`answers 415 to a client that waits for a 100, before it sends its body ${how}`, async () => {
      await onConnection(service().port, async (connection) => {
        const headers = [['Expect', '100-continue']] as const;
        const request = bytes({ body: BODY, contentType: 'text/plain', headers, chunked });
        connection.send(request.subarray(0, request.indexOf('\r\n\r\n') + 4));
        expectError(await connection.receive(), 415, 'unsupported_media_type');
      });
    });

    it(`answers a client that sends 8 MB before it reads, with or without a key, ${how}`, async () => {
      await onConnection(service().port, async (connection) => {
        connection.send(bytes({ body: padded(8_000_000), chunked }));
        expectError(await connection.receive(), 413, 'body_too_large');
      });
      // These two want the connection closed.
      expectError(await post(service(), padded(8_000_000), { chunked }), 413, 'body_too_large');
      const response = await post(service(), padded(8_000_000), { chunked, authorization: null });
      expectError(response, 401, 'unauthorized');
    });
  }
}
