import { expect } from 'chai';
import { expectError } from '../expectations.js';
import { onConnection } from '../../support/raw-connection.js';
import type { GetService } from '../service.js';
import { filledIn } from './templates.js';

const BODY = '{"name":"Rex","categoryId":7}';
const POST = 'POST PETS HTTP/1.1\r\nHOST\r\nKEY\r\nJSON\r\n';
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n`;

/** Bytes that are not well-formed HTTP. The test replaces the words in capitals. */
const MALFORMED: Record<string, string> = {
  'a line of garbage': 'garbage\r\n\r\n',
  'an unknown method': 'FROBNICATE PETS HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  'a method in lower case': 'get PETS HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  'another protocol': 'GET PETS FTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  'a space in the target': 'GET PETS ?limit=1 HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  'no target': 'GET HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n',
  ...Object.fromEntries(
    ['a://b', 'x://[/', 'ftp://h/v1/pets', 'mailto://x', 'http:///v1/pets', 'v1/pets'].map((target) => [
      `the target ${target}`,
      `GET ${target} HTTP/1.1\r\nHOST\r\nKEY\r\nConnection: close\r\n\r\n`,
    ]),
  ),
  'no Host': 'GET PETS HTTP/1.1\r\nKEY\r\n\r\n',
  'two Hosts': 'GET PETS HTTP/1.1\r\nHOST\r\nHOST\r\nKEY\r\n\r\n',
  'a Host that is none': 'GET PETS HTTP/1.1\r\nHost: a/b\r\nKEY\r\n\r\n',
  'two Hosts in HTTP/1.0': 'GET PETS HTTP/1.0\r\nHOST\r\nHOST\r\nKEY\r\n\r\n',
  'two Hosts outside the base path': 'GET /livez HTTP/1.1\r\nHOST\r\nHOST\r\n\r\n',
  'a header without a colon': 'GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\nnonsense\r\n\r\n',
  'a space in the name of a header': 'GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\nX Y: z\r\n\r\n',
  'U+0000 in a header': 'GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\nX: a\0b\r\n\r\n',
  'a carriage return alone': 'GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\nX: a\rb\r\n\r\n',
  'a header that goes on in the next line': 'GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\n X: folded\r\n\r\n',
  'a Content-Length that is not a number': `${POST}Content-Length: x\r\n\r\n${BODY}`,
  'a negative Content-Length': `${POST}Content-Length: -1\r\n\r\n${BODY}`,
  'a Content-Length in hexadecimal': `${POST}Content-Length: 0x1d\r\n\r\n${BODY}`,
  'a Content-Length beyond 2^64': `${POST}Content-Length: 18446744073709551645\r\n\r\n${BODY}`,
  'two Content-Lengths': `${POST}Content-Length: 29\r\nContent-Length: 2\r\n\r\n${BODY}`,
  'a list of Content-Lengths': `${POST}Content-Length: 29, 2\r\n\r\n${BODY}`,
  'Content-Length before Transfer-Encoding': `${POST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n${BODY}\r\n0\r\n\r\n`,
  'Transfer-Encoding before Content-Length': `${CHUNKED}Content-Length: 4\r\n\r\n1d\r\n${BODY}\r\n0\r\n\r\n`,
  'a Transfer-Encoding that does not end chunked': `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n1d\r\n${BODY}\r\n0\r\n\r\n`,
  'an unknown Transfer-Encoding': `${POST}Transfer-Encoding: xchunked\r\n\r\n1d\r\n${BODY}\r\n0\r\n\r\n`,
  'a chunk whose size is not a number': `${CHUNKED}\r\nzz\r\n{}\r\n0\r\n\r\n`,
  'a chunk that is longer than its size': `${CHUNKED}\r\n1\r\n{}\r\n0\r\n\r\n`,
  'lines that end in a line feed alone': 'GET PETS HTTP/1.1\nHOST\nKEY\n\n',
  'chunks whose lines end in a line feed alone': `${CHUNKED}\r\n1d\n${BODY}\n0\n\n`,
  'Transfer-Encoding in HTTP/1.0': `POST PETS HTTP/1.0\r\nHOST\r\nKEY\r\nJSON\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1d\r\n${BODY}\r\n0\r\n\r\n`,
  'two Transfer-Encodings': `${CHUNKED}Transfer-Encoding: chunked\r\n\r\n1d\r\n${BODY}\r\n0\r\n\r\n`,
  'a chunk whose size is beyond 2^64': `${CHUNKED}\r\n10000000000000001\r\n{}\r\n0\r\n\r\n`,
};

/** The tests of bytes that are not a request. */
export function declareMalformedRequests(service: GetService): void {
  describe('a request that is not well-formed HTTP', () => {
    for (const [what, bytes] of Object.entries(MALFORMED)) {
      it(`is answered 400 and ended, once: ${what}`, async () => {
        await onConnection(service().port, async (connection) => {
          connection.send(filledIn(service(), bytes));
          const answer = await connection.receive();
          expectError(answer, 400, 'bad_request');
          expect(answer.header('Connection')).to.equal('close');
          expect(await connection.finished()).to.equal('');
        });
      });
    }

    for (const [what, bytes] of Object.entries({
      'a header of 20,000 bytes': `GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      '1,000 headers': `GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\n${'X-Filler: 0123456789\r\n'.repeat(1000)}\r\n`,
      'a target of 20,000 bytes': `GET PETS?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHOST\r\nKEY\r\n\r\n`,
      '64 KB in short fields': `GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\n${'a:\r\n'.repeat(16_000)}\r\n`,
      'a header that does not end': `GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\nX: ${'x'.repeat(20_000)}`,
      '1 MB of headers': `GET PETS HTTP/1.1\r\nHOST\r\nKEY\r\n${'X: 23456\r\n'.repeat(100_000)}\r\n`,
    })) {
      it(`is answered 431 and ended: ${what}`, async () => {
        await onConnection(service().port, async (connection) => {
          connection.send(filledIn(service(), bytes));
          const answer = await connection.receive();
          expectError(answer, 431, 'headers_too_large');
          expect(await connection.finished()).to.equal('');
        });
      });
    }
  });
}
