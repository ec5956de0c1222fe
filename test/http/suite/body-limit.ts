import { expect } from 'chai';
import { expectError, petOf } from '../expectations.js';
import { onConnection } from '../../support/raw-connection.js';
import { post, requestBytes, type GetService } from '../service.js';

const LIMIT = 65_536;
const BODY = '{"name":"Rex","categoryId":7}';
const padded = (length: number): string => BODY.padEnd(length, ' ');

/** The tests of how large a body may be. */
export function declareBodyLimit(service: GetService): void {
  const target = (): string => `${service().basePath}/pets`;

  describe('the size of a body', () => {
    for (const [how, chunked] of Object.entries({ 'with its length': false, 'in chunks': true })) {
      describe(how, () => {
        it('may be 65,536 bytes', async () => {
          petOf(await post(service(), padded(LIMIT), { chunked }), 201);
        });

        it('must not be 65,537 bytes', async () => {
          const message = expectError(await post(service(), padded(LIMIT + 1), { chunked }), 413, 'body_too_large');
          expect(message).to.match(/65,?536/);
        });

        it('is counted in bytes, not in characters', async () => {
          const body = `{"x":"${'€'.repeat(LIMIT / 3)}","name":"Rex","categoryId":7}`;
          expectError(await post(service(), body, { chunked }), 413, 'body_too_large');
        });

        it('leaves the connection usable, or ends it', async () => {
          await onConnection(service().port, async (connection) => {
            connection.send(requestBytes(service(), 'POST', target(), { body: padded(LIMIT + 1), chunked }));
            const refused = await connection.receive();
            expectError(refused, 413, 'body_too_large');
            if (refused.header('Connection') === 'close') {
              expect(await connection.finished()).to.equal('');
              return;
            }
            connection.send(requestBytes(service(), 'POST', target(), { body: BODY }));
            petOf(await connection.receive(), 201);
          });
        });
      });
    }

    it('is checked by the announced length, before the body arrives', async () => {
      await onConnection(service().port, async (connection) => {
        const bytes = requestBytes(service(), 'POST', target(), { body: padded(LIMIT + 1) });
        connection.send(bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4));
        expectError(await connection.receive(), 413, 'body_too_large');
      });
    });
  });
}

/** The tests of a server that lets a body arrive before it closes the connection, so that the client sees its answer. */
export function declareBodiesUnread(service: GetService): void {
  const target = (): string => `${service().basePath}/pets`;

  for (const chunked of [false, true]) {
    it(`answers 415 to a client that waits for a 100, before it sends its body ${chunked ? 'in chunks' : 'with its length'}`, async () => {
      await onConnection(service().port, async (connection) => {
        const headers = [['Expect', '100-continue']] as const;
        const request = { body: BODY, contentType: 'text/plain', headers, chunked };
        const bytes = requestBytes(service(), 'POST', target(), request);
        connection.send(bytes.subarray(0, bytes.indexOf('\r\n\r\n') + 4));
        expectError(await connection.receive(), 415, 'unsupported_media_type');
      });
    });
  }

  describe('a body that no operation reads', () => {
    for (const [how, chunked] of Object.entries({ 'with its length': false, 'in chunks': true })) {
      describe(how, () => {
        it('is answered to a client that sends 8 MB before it reads', async () => {
          await onConnection(service().port, async (connection) => {
            connection.send(requestBytes(service(), 'POST', target(), { body: padded(8_000_000), chunked }));
            expectError(await connection.receive(), 413, 'body_too_large');
          });
        });

        it('is answered to a client that sends 8 MB before it reads, and wants the connection closed', async () => {
          expectError(await post(service(), padded(8_000_000), { chunked }), 413, 'body_too_large');
        });

        it('does not keep a client that sends 8 MB without a key from its answer', async () => {
          const answer = await post(service(), padded(8_000_000), { chunked, authorization: null });
          expectError(answer, 401, 'unauthorized');
        });
      });
    }
  });
}
