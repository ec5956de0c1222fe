import { expect } from 'chai';
import type { ReceivedResponse } from '../../support/received-response.js';
import { expectError, expectErrorBody, petOf } from '../expectations.js';
import { onConnection } from '../../support/raw-connection.js';
import { get, type GetService } from '../service.js';

const BODY = '{"name":"Rex","categoryId":7}';
const IN_CHUNKS = `1d\r\n${BODY}\r\n0\r\n\r\n`;
const POST = 'POST PETS HTTP/1.1\r\nHOST\r\nKEY\r\nJSON\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`;
const GET = 'GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\n';

/** Bytes that are not well-formed HTTP. In these and in those below, the tests replace the words in capitals. */
const MALFORMED: Record<string, string> = {
  'a line of garbage': 'garbage\r\n\r\n',
  'an unknown method': 'FROBNICATE PETS HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  'no target': 'GET HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  ...Object.fromEntries(
    'a://b x://[/ ftp://h/v1/pets http:///v1/pets v1/pets PETS?limit=5#x /livez#PETS'
      .split(' ')
      .map((target) => [`the target ${target}`, `GET ${target} HTTP/1.1\r\nHOST\r\nKEY\r\nConnection: close\r\n\r\n`]),
  ),
  'two Hosts': `${GET}HOST\r\n\r\n`,
  'a Host that is none': 'GET PETS HTTP/1.1\r\nHost: a/b\r\nKEY\r\n\r\n',
  'two Hosts in HTTP/1.0': 'GET PETS HTTP/1.0\r\nHOST\r\nHOST\r\nKEY\r\n\r\n',
  'a header without a colon': `${GET}nonsense\r\n\r\n`,
  'a space in the name of a header': `${GET}X Y: z\r\n\r\n`,
  'U+0000 in a header': `${GET}X: a\0b\r\n\r\n`,
  'a carriage return alone': `${GET}X: a\rb\r\n\r\n`,
  'a header that goes on in the next line': `${GET} X: folded\r\n\r\n`,
  'lines that end in a line feed alone': 'GET PETS HTTP/1.1\nHOST\nKEY\n\n',
  'a Content-Length that is not a number': `${POST}Content-Length: 0x1d\r\n\r\n${BODY}`,
  'a Content-Length beyond 2^64': `${POST}Content-Length: 18446744073709551645\r\n\r\n${BODY}`,
  'two Content-Lengths': `${POST}Content-Length: 29\r\nContent-Length: 2\r\n\r\n${BODY}`,
  'a list of Content-Lengths': `${POST}Content-Length: 29, 2\r\n\r\n${BODY}`,
  'Content-Length before Transfer-Encoding': `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n${IN_CHUNKS}`,
  'Transfer-Encoding before Content-Length': `${CHUNKED}Content-Length: 4\r\n\r\n${IN_CHUNKS}`,
  'a Transfer-Encoding that does not end chunked': `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n${IN_CHUNKS}`,
  'an unknown Transfer-Encoding': `${POST}Transfer-Encoding: xchunked\r\n\r\n${IN_CHUNKS}`,
  'two Transfer-Encodings': `${CHUNKED}Transfer-Encoding: chunked\r\n\r\n${IN_CHUNKS}`,
  'a chunk whose size is not a number': `${CHUNKED}\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a chunk that is longer than its size': `${CHUNKED}\r\n1\r\n{}\r\n0\r\n\r\n`,
  'a chunk whose size is beyond 2^64': `${CHUNKED}\r\n10000000000000001\r\n{}\r\n0\r\n\r\n`,
  'chunks whose lines end in a line feed alone': `${CHUNKED}\r\n1d\n${BODY}\n0\n\n`,
};

const TOO_LARGE: Record<string, string> = {
  'a target of 20,000 bytes': `GET PETS?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n`,
  'a header that does not end': `${GET}X: ${'x'.repeat(20_000)}`,
  '1 MB of headers': `${GET}${'X: 23456\r\n'.repeat(100_000)}\r\n`,
};

const ACCEPTED: Record<string, string> = {
  'HTTP/1.0 without Host': 'GET PETS?limit=1 HTTP/1.0\r\nKEY\r\n\r\n',
  'an empty Host': 'GET PETS?limit=1 HTTP/1.1\r\nHost:\r\nKEY\r\n\r\n',
  'a target in absolute form': 'GET http://example.comPETS?limit=1 HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  'empty lines before a request': `\r\n\r\n${GET}\r\n`,
};

const WITHOUT_KEY: Record<string, string> = {
  'a target in absolute form with a user and a port': 'GET HTTP://a@b:1PETS?x HTTP/1.1\r\nHOST\r\n\r\n',
  'a path that leads out of the base path': 'GET BASE/../livez HTTP/1.1\r\nHOST\r\n\r\n',
  'a body, whatever key its trailer has': `${CHUNKED.replace('KEY\r\n', '')}Trailer: Authorization\r\n\r\n1d\r\n${BODY}\r\n0\r\nKEY\r\n\r\n`,
};

/** What is behind the request line of a creation that is refused before its body, of 5 MB, has arrived. */
const REFUSED_EARLY: Record<string, string> = {
  'a Host that is none': 'Host: a b\r\nContent-Length: 5000000\r\n\r\n',
  'no Host': 'Content-Length: 5000000\r\n\r\n',
  'a list of transfer codings': 'HOST\r\nTransfer-Encoding: gzip, chunked\r\n\r\n',
  'a chunk whose size is not a number': 'HOST\r\nKEY\r\nJSON\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
};

/** Targets that no operation has, some with an authority that is none. Any Error but a 5xx answers them. */
const STRANGE = [
  'GET BASE\\pets',
  'GET \\livez',
  'GET ///PETS',
  'GET /%00',
  'GET *',
  'OPTIONS *',
  'CONNECT PETS',
  ...['[', '[::g]', 'a:99999', 'a@b@c', 'xn--iñ', '%zz', '', ':'].map(
    (authority) => `POST http://${authority}/nowhere`,
  ),
  'POST http://[?x',
];

/** The tests of requests that ordinary clients do not send, and of bytes that are not a request. */
export function declareRawRequests(service: GetService): void {
  const filledIn = (bytes: string): string => {
    const { port, key, basePath } = service();
    return bytes
      .replaceAll('HOST', `Host: 127.0.0.1:${port}`)
      .replaceAll('KEY', `Authorization: Bearer ${key}`)
      .replaceAll('JSON', 'Content-Type: application/json')
      .replaceAll('BASE', basePath)
      .replaceAll('PETS', `${basePath}/pets`);
  };
  const exchange = async (bytes: string): Promise<ReceivedResponse> =>
    onConnection(service().port, async (connection) => {
      connection.send(filledIn(bytes));
      return connection.receive();
    });
  const exchangeLast = async (bytes: string): Promise<ReceivedResponse> =>
    onConnection(service().port, async (connection) => connection.askLast(filledIn(bytes)));

  describe('a request that is not well-formed HTTP', () => {
    for (const [what, bytes] of Object.entries(MALFORMED)) {
      it(`is answered 400 and ended, once: ${what}`, async () => {
        const response = await exchangeLast(bytes);
        expectError(response, 400, 'bad_request');
        expect(response.header('Connection')).to.equal('close');
      });
    }

    for (const [what, head] of Object.entries(REFUSED_EARLY)) {
      it(`is answered 400 and ended, without a reset, while its client sends 5 MB: ${what}`, async () => {
        expectError(await exchangeLast(`POST PETS HTTP/1.1\r\n${head}${'x'.repeat(5_000_000)}`), 400, 'bad_request');
      });
    }

    for (const [what, bytes] of Object.entries(TOO_LARGE)) {
      it(`is answered 431 and ended: ${what}`, async () => {
        expectError(await exchangeLast(bytes), 431, 'headers_too_large');
      });
    }
  });

  describe('unusual, but well-formed HTTP', () => {
    for (const [what, bytes] of Object.entries(ACCEPTED)) {
      it(`accepts ${what}`, async () => {
        expect((await exchange(bytes)).status).to.equal(200);
      });
    }

    for (const [what, bytes] of Object.entries(WITHOUT_KEY)) {
      it(`asks for a key for ${what}`, async () => {
        expectError(await exchange(bytes), 401, 'unauthorized');
      });
    }

    for (const [path, code] of [
      ['/./pets', 'route_not_found'],
      ['/x/../pets', 'route_not_found'],
      ['/../livez', 'route_not_found'],
      ['/pets/..', 'pet_not_found'],
    ] as const) {
      it(`does not normalise ${path}: ${code}`, async () => {
        expectError(await exchange(`GET BASE${path} HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n`), 404, code);
      });
    }

    for (const request of STRANGE) {
      it(`answers an Error to ${request}`, async () => {
        const { code } = expectErrorBody(await exchange(`${request} HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n`));
        expect(code).to.be.oneOf(['bad_request', 'route_not_found', 'method_not_allowed']);
      });
    }

    it('accepts extensions of chunks, and trailers', async () => {
      petOf(await exchange(`${CHUNKED}\r\n1D;x=y;z\r\n${BODY}\r\n000\r\nX-Sum: 1\r\n\r\n`), 201);
    });
  });

  it('2,500 header fields do not hide a second Authorization after them', async () => {
    const many = Array.from({ length: 2500 }, () => ['a', ''] as const);
    const headers = [...many, ['authorization', 'Bearer wrong'] as const];
    expectError(await get(service(), '/pets?limit=1', { headers }), 401, 'unauthorized');
  });
}
