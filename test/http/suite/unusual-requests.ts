import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { expectError, expectErrorBody, petOf } from '../expectations.js';
import { onConnection } from '../../support/raw-connection.js';
import type { GetService } from '../service.js';
import { filledIn } from './templates.js';

const BODY = '{"name":"Rex","categoryId":7}';

/** The tests of requests that ordinary clients do not send. */
export function declareUnusualRequests(service: GetService): void {
  const exchange = async (bytes: string): Promise<Answer> =>
    onConnection(service().port, async (connection) => {
      connection.send(filledIn(service(), bytes));
      return connection.receive();
    });

  describe('unusual, but well-formed HTTP', () => {
    for (const [what, bytes] of Object.entries({
      'HTTP/1.0 without Host': 'GET PETS?limit=1 HTTP/1.0\r\nKEY\r\n\r\n',
      'an empty Host': 'GET PETS?limit=1 HTTP/1.1\r\nHost:\r\nKEY\r\n\r\n',
      'a target in absolute form': 'GET http://example.comPETS?limit=1 HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'empty lines before a request': '\r\n\r\nGET PETS?limit=1 HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'an offer of another protocol, without switching to it':
        'GET PETS?limit=1 HTTP/1.1\r\nHOST\r\nKEY\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    })) {
      it(`accepts ${what}`, async () => {
        expect((await exchange(bytes)).status).to.equal(200);
      });
    }

    for (const [what, bytes] of Object.entries({
      'a target in absolute form': 'GET http://example.comPETS HTTP/1.1\r\nHOST\r\n\r\n',
      'a target in absolute form with a user and a port': 'GET HTTP://a@b:1PETS?x HTTP/1.1\r\nHOST\r\n\r\n',
      'a path that leads out of the base path': 'GET BASE/../livez HTTP/1.1\r\nHOST\r\n\r\n',
      'a body, whatever key its trailer has':
        'POST PETS HTTP/1.1\r\nHOST\r\nJSON\r\nTransfer-Encoding: chunked\r\nTrailer: Authorization\r\n\r\n' +
        `1d\r\n${BODY}\r\n0\r\nKEY\r\n\r\n`,
    })) {
      it(`asks for a key for ${what}`, async () => {
        expectError(await exchange(bytes), 401, 'unauthorized');
      });
    }

    it('refuses a fragment in the target, with a key and without one', async () => {
      for (const target of ['PETS?limit=5#x', 'PETS#x', 'PETS/1#', '/livez#PETS', 'http://example.comPETS#']) {
        for (const key of ['KEY\r\n', '']) {
          const answer = await exchange(`GET ${target} HTTP/1.1\r\nHOST\r\n${key}\r\n`);
          expectError(answer, 400, 'bad_request');
        }
      }
    });

    for (const [path, code] of [
      ['/./pets', 'route_not_found'],
      ['/x/../pets', 'route_not_found'],
      ['/pets/../pets', 'route_not_found'],
      ['\\pets', 'route_not_found'],
      ['/../livez', 'route_not_found'],
      ['/pets/.', 'pet_not_found'],
      ['/pets/..', 'pet_not_found'],
    ] as const) {
      it(`does not normalise ${path}: ${code}`, async () => {
        expectError(await exchange(`GET BASE${path} HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n`), 404, code);
      });
    }

    it('does not treat a backslash as a slash, whatever else the target contains', async () => {
      for (const target of ['BASE\\pets', 'BASE\\pets#', '\\livez', '/x\\..\\livez#']) {
        expectErrorBody(await exchange(`GET ${target} HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n`));
      }
    });

    for (const authority of ['[', '[::g]', 'a:99999', 'a@b@c', 'xn--iñ', '%zz', '', ':']) {
      it(`answers an Error to http://${authority} with any path and without one`, async () => {
        for (const path of ['PETS', '/nowhere', '?x']) {
          const answer = await exchange(`POST http://${authority}${path} HTTP/1.1\r\nHOST\r\n\r\n`);
          expect(expectErrorBody(answer).code).to.be.oneOf([
            'bad_request',
            'route_not_found',
            'method_not_allowed',
            'unauthorized',
          ]);
        }
      });
    }

    for (const request of [
      'CONNECT example.com:443 HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'CONNECT PETS HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'GET * HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET ///PETS HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
      'GET /%00 HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
    ]) {
      it(`answers an Error to ${request.split(' HTTP')[0]}`, async () => {
        expect(expectErrorBody(await exchange(request)).code).to.be.oneOf([
          'bad_request',
          'route_not_found',
          'method_not_allowed',
        ]);
      });
    }

    it('accepts extensions of chunks, and trailers', async () => {
      const head = 'POST PETS HTTP/1.1\r\nHOST\r\nKEY\r\nJSON\r\nTransfer-Encoding: chunked\r\n\r\n';
      petOf(await exchange(`${head}1D;x=y;z\r\n${BODY}\r\n000\r\nX-Sum: 1\r\n\r\n`), 201);
    });
  });
}
