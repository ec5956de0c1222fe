import { expect } from 'chai';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ProxyTrust } from '../../../../src/adapters/http/pipeline/response-log.js';
import type { HttpServerOptions } from '../../../../src/adapters/http/server/http-server.js';
import type { Rejection } from '../../../../src/adapters/http/server/rejections.js';
import { until } from '../../../support/until.js';
import { getBytes, listen, open } from './serving.js';

const CLIENT = '203.0.113.7';
const FIELD = `X-Forwarded-For: ${CLIENT}`;

const trustProxy: ProxyTrust = (address, fields) => (fields.includes(CLIENT) ? CLIENT : address);

/** Answers with as many bytes as the target says, once the body has arrived. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  request.on('error', () => undefined);
  request.on('end', () => response.end(Buffer.alloc(Number(request.url?.slice(1))))).resume();
}

describe('the address of a client that createHttpServer refuses', () => {
  /** The only refusal of a server behind a trusted proxy that sends these bytes on a connection, and reads nothing. */
  async function refusalOf(bytes: string, options: HttpServerOptions = {}): Promise<Rejection> {
    const refusals: Rejection[] = [];
    const onRejected = (refusal: Rejection): unknown => refusals.push(refusal);
    const connection = await open(await listen(answer, { onRejected, trustProxy, ...options }));
    connection.stopReading();
    connection.send(bytes);
    await until(() => refusals.length > 0);
    expect(refusals).to.have.lengthOf(1);
    return refusals[0] as Rejection;
  }

  it('is that of the request whose header section is refused', async () => {
    const bytes = `GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n${FIELD}\r\n\r\n`;
    expect(await refusalOf(bytes)).to.include({ limit: undefined, clientAddress: CLIENT });
  });

  it('is that of the request whose body does not arrive', async () => {
    const bytes = `POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n${FIELD}\r\n\r\n`;
    const times = { headersTimeout: 100, requestTimeout: 100 };
    expect(await refusalOf(bytes, times)).to.include({ limit: 'time', clientAddress: CLIENT });
  });

  it('is that of the request whose answer is not read', async () => {
    const options = { idleTimeout: 200 };
    expect(await refusalOf(getBytes('/50000000', FIELD), options)).to.include({ limit: 'idle', clientAddress: CLIENT });
  });

  it('is that of the connection if no header section has arrived', async () => {
    expect(await refusalOf('garbage\r\n\r\n')).to.include({ limit: undefined, clientAddress: '127.0.0.1' });
  });
});
