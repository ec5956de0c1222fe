import { expect } from 'chai';
import type { ProxyTrust } from '../../../../src/adapters/http/pipeline/response-log.js';
import type { HttpServerOptions } from '../../../../src/adapters/http/server/http-server.js';
import type { Rejection } from '../../../../src/adapters/http/server/rejections.js';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from './serving.js';

const CLIENT = '203.0.113.7';
const FIELD = `X-Forwarded-For: ${CLIENT}`;

const trustProxy: ProxyTrust = (address, fields) => (fields.includes(CLIENT) ? CLIENT : address);

interface Case {
  readonly bytes: string;
  readonly options?: HttpServerOptions;
  readonly rejected: Partial<Rejection>;
}

const CASES: Record<string, Case> = {
  'is that of the request whose header section is refused': {
    bytes: `GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n${FIELD}\r\n\r\n`,
    rejected: { limit: undefined, clientAddress: CLIENT },
  },
  'is that of the request whose body does not arrive': {
    bytes: `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n${FIELD}\r\n\r\n`,
    options: { headersTimeout: 100, requestTimeout: 100 },
    rejected: { limit: 'time', clientAddress: CLIENT },
  },
  'is that of the request whose response is not read': {
    bytes: getBytes('/', FIELD),
    options: { idleTimeout: 200 },
    rejected: { limit: 'idle', clientAddress: CLIENT },
  },
  'is that of the connection if no header section has arrived': {
    bytes: 'garbage\r\n\r\n',
    rejected: { limit: undefined, clientAddress: '127.0.0.1' },
  },
};

describe('the address of a client that createHttpServer rejects', () => {
  for (const [title, { bytes, options, rejected }] of Object.entries(CASES)) {
    it(title, async () => {
      const rejections: Rejection[] = [];
      const port = await listen(
        (request, response) => {
          request.on('error', () => undefined);
          request.on('end', () => response.end(Buffer.alloc(50_000_000))).resume();
        },
        { onRejected: (rejection) => rejections.push(rejection), trustProxy, ...options },
      );
      const connection = await open(port);
      connection.stopReading();
      connection.send(bytes);
      await until(() => rejections.length > 0);
      expect(rejections).to.have.lengthOf(1);
      expect(rejections[0]).to.include(rejected);
    });
  }
});
