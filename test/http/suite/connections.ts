import { expect } from 'chai';
import type { ReceivedResponse } from '../../support/received-response.js';
import { expectError, petOf } from '../expectations.js';
import { onConnection, RawConnection } from '../../support/raw-connection.js';
import { get, requestBytes, type GetService, type RequestOptions } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests of several requests on one connection, and of half of one. */
export function declareConnections(service: GetService): void {
  const bytes = (method: string, path: string, options?: RequestOptions): Buffer =>
    requestBytes(service(), method, service().basePath + path, options);
  const head = (request: Buffer): Buffer => request.subarray(0, request.indexOf('\r\n\r\n') + 4);

  /**
   * Sends requests at once on a connection, and those that it leaves unanswered on another one (RFC 9112, section 9.3.2). Resolves to
   * their answers.
   */
  async function answersTo(requests: readonly Buffer[]): Promise<ReceivedResponse[]> {
    const responses: ReceivedResponse[] = [];
    while (responses.length < requests.length) {
      await onConnection(service().port, async (connection) => {
        const rest = requests.slice(responses.length);
        connection.send(Buffer.concat(rest));
        for (const each of rest) {
          const response = await connection.receive({ head: each.toString().startsWith('HEAD') });
          responses.push(response);
          if (response.isLast) return;
        }
      });
    }
    return responses;
  }

  const create = (options?: RequestOptions): Buffer => bytes('POST', '/pets', { body: BODY, ...options });
  const smuggled = (): string => head(bytes('GET', '/pets/0')).toString('latin1');
  /** What is sent at once, each piece with the status of its response. */
  const SEQUENCES: Record<string, () => readonly (readonly [bytes: Buffer, status: number])[]> = {
    'of every kind': () => [
      [create(), 201],
      [bytes('GET', '/pets?limit=0'), 400],
      [bytes('HEAD', '/pets?limit=1'), 200],
      [create({ chunked: true }), 201],
      [bytes('GET', '/pets/0'), 404],
      [bytes('GET', '/pets', { authorization: null }), 401],
    ],
    'after a body that no operation reads': () => [
      [bytes('GET', '/pets?limit=1', { body: smuggled() }), 200],
      [bytes('GET', '/pets?limit=1', { body: smuggled(), chunked: true }), 200],
      [bytes('GET', '/pets?limit=0'), 400],
    ],
    'after bodies that were refused unread': () => [
      [create({ authorization: null }), 401],
      [create({ contentType: 'text/plain', chunked: true }), 415],
      [bytes('PUT', '/pets', { body: BODY }), 405],
      [bytes('POST', '/nowhere', { body: BODY, chunked: true }), 404],
      [bytes('GET', '/pets?limit=1'), 200],
    ],
  };

  describe('connections', () => {
    for (const [when, sequence] of Object.entries(SEQUENCES)) {
      it(`answer requests in order ${when}`, async () => {
        const pieces = sequence();
        const responses = await answersTo(pieces.map(([piece]) => piece));
        expect(responses.map(({ status }) => status)).to.deep.equal(pieces.map(([, status]) => status));
      });
    }

    it('let a client with Expect: 100-continue send its body, or answer it if it does not wait', async () => {
      const request = create({ headers: [['Expect', '100-continue']] });
      const start = head(request);
      await onConnection(service().port, async (connection) => {
        connection.send(start);
        expect((await connection.receive()).status).to.equal(100);
        connection.send(request.subarray(start.length));
        petOf(await connection.receive(), 201);
      });
      await onConnection(service().port, async (connection) => {
        connection.send(request);
        const response = await connection.receive();
        petOf(response.status === 100 ? await connection.receive() : response, 201);
      });
    });

    it('get no 100 (Continue) for a body that no operation reads', async () => {
      await onConnection(service().port, async (connection) => {
        const request = create({ authorization: null, headers: [['Expect', '100-continue']] });
        connection.send(head(request));
        expectError(await connection.receive(), 401, 'unauthorized');
        connection.send(request.subarray(head(request).length));
        expect(await connection.finished()).to.equal('');
      });
    });

    it('may be left at any point, and the service keeps running', async () => {
      const request = create();
      for (let length = 0; length <= request.length; length += 7) {
        const connection = await RawConnection.open(service().port);
        connection.send(request.subarray(0, length));
        connection.destroy();
      }
      expect((await get(service(), '/pets?limit=1')).status).to.equal(200);
    });
  });
}
