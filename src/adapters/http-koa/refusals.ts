import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { answerTo, endAfterRequest, headersOf } from './answer.js';
import type { Connection } from './drain.js';
import { HttpError } from './errors.js';
import { fieldValues, requestIdOf } from './request.js';

const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** How long a connection is read on, in milliseconds, so that a client which is still sending gets to see the refusal. */
const LINGER_MS = 1000;

/**
 * What is not well-formed in a request that Node's parser lets pass: its version, its transfer coding, and its `Host` (RFC
 * 9112, sections 2.3, 6.1 and 3.2), which Node's own check would refuse without a body.
 */
export function faultOfRequest({ rawHeaders, headers, httpVersion }: IncomingMessage): HttpError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('the version must be HTTP/1.1');
  if ((headers['transfer-encoding'] ?? 'chunked').toLowerCase() !== 'chunked') {
    return badRequest('Transfer-Encoding must be chunked, or be left out');
  }
  const [host, second] = fieldValues(rawHeaders, 'host');
  const isSound = host === undefined ? httpVersion === '1.0' : second === undefined && HOST.test(host);
  return isSound ? undefined : badRequest('Host must be given once, and be a host and an optional port');
}

/** Answers a request with an error. Its connection is closed when the request has arrived whole. */
export function refuse(response: ServerResponse, fault: HttpError): void {
  const answer = answerTo(fault);
  response.writeHead(answer.status, { ...headersOf(answer, requestIdOf(response.req)), Connection: 'close' });
  endAfterRequest(response, answer.body);
}

/** Refuses a `CONNECT`, which Node hands over as a bare connection: this server is no proxy. */
export function refuseConnect(request: IncomingMessage, socket: Socket, connection: Connection): void {
  const fault = badRequest('CONNECT is not served here');
  connection.refused = true;
  whenOut(connection.latest, () => hangUpWith(socket, fault, requestIdOf(request)));
}

/**
 * Answers what Node's parser or its time-outs refused, once, and closes the connection. Requests that came whole before it
 * are answered first; where the fault is in the body of one that has its answer already, there is no second one.
 */
export function refuseMalformed(error: Error, socket: Socket, connection: Connection): void {
  const fault = faultOf(error);
  if (fault === undefined) socket.destroy();
  if (fault === undefined || connection.broken) return;
  connection.refused = connection.broken = true;
  const { latest } = connection;
  if (latest === undefined || latest.req.complete) {
    whenOut(latest, () => hangUpWith(socket, fault, randomUUID()));
    return;
  }
  if (!latest.headersSent) refuse(latest, fault);
  setTimeout(() => latest.end(() => socket.destroySoon()), LINGER_MS).unref();
}

/** What the client did wrong; `undefined` for an error of the connection itself, where nobody is left to be told. */
function faultOf({ code = '' }: NodeJS.ErrnoException): HttpError | undefined {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new HttpError('request_timeout', 'the request did not arrive in time');
    case 'HPE_HEADER_OVERFLOW':
      return new HttpError('headers_too_large', 'the header section must not be larger than 16 KiB');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new HttpError('body_too_large', 'the chunk extensions are too large');
    default:
      return code.startsWith('HPE_') ? badRequest('the request is not well-formed HTTP') : undefined;
  }
}

function badRequest(message: string): HttpError {
  return new HttpError('bad_request', message);
}

function whenOut(response: ServerResponse | undefined, then: () => void): void {
  if (response === undefined || response.writableFinished) then();
  else response.once('close', then);
}

function hangUpWith(socket: Socket, fault: HttpError, requestId: string): void {
  if (!socket.writable) return;
  const answer = answerTo(fault);
  const fields = { ...headersOf(answer, requestId), Date: new Date().toUTCString(), Connection: 'close' };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`;
  socket.end(`${start}\r\n${head.join('')}\r\n${answer.body.toString()}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
