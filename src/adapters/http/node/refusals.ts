import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { bodyLength, completeAnswer, failureAnswer, type HttpAnswer } from '../answer.js';
import { HttpError } from '../errors.js';
import { fieldValues, requestIdOf } from '../request.js';
import type { Connection } from './drain.js';
import { send } from './send.js';

const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** How long the server goes on reading after a refusal, in milliseconds, so that a client that is still sending sees it. */
const LINGER_MS = 1000;

/**
 * The fault of a request that Node's parser lets pass: in its version, its transfer coding, or its `Host` (RFC 9112,
 * sections 2.3, 6.1 and 3.2), which Node's own check would refuse without a body.
 */
export function faultOfRequest({ rawHeaders, httpVersion }: IncomingMessage): HttpError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('the version must be HTTP/1.1');
  const codings = fieldValues(rawHeaders, 'transfer-encoding');
  if (codings.length > 0 && codings.join(', ').toLowerCase() !== 'chunked') {
    return badRequest('Transfer-Encoding must be chunked, or be left out');
  }
  const [host, second] = fieldValues(rawHeaders, 'host');
  const isSound = host === undefined ? httpVersion === '1.0' : second === undefined && HOST.test(host);
  return isSound ? undefined : badRequest('Host must be given once, and be a host and an optional port');
}

/** Answers a request with an error, and closes its connection once the request has arrived whole. */
export function refuse(response: ServerResponse, error: unknown): void {
  send(response, closingAnswer(error, requestIdOf(response.req.rawHeaders)));
}

function closingAnswer(error: unknown, requestId: string): HttpAnswer {
  const answer = failureAnswer(error);
  return completeAnswer(answer, bodyLength(answer), requestId, ['Connection', 'close']);
}

/** Refuses a `CONNECT`, for which Node hands over the bare connection: this server is not a proxy. */
export function refuseConnect(request: IncomingMessage, socket: Socket, connection: Connection): void {
  const fault = badRequest('CONNECT is not served here');
  connection.refused = true;
  whenOut(connection.latest, () => hangUpWith(socket, fault, requestIdOf(request.rawHeaders)));
}

/**
 * Answers bytes that Node's parser refused, or a request that timed out, and closes the connection. Whole requests that
 * came before are answered first. If the fault is in the body of a request that has been answered, no second answer is
 * sent.
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

/** The client's fault; `undefined` for an error of the connection itself, which leaves nobody to answer. */
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
  const { status, headers, body } = closingAnswer(fault, requestId);
  const fields = [...headers, 'Date', new Date().toUTCString()].map((part, i) =>
    i % 2 === 0 ? `${part}: ` : `${part}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}\r\n${body.toString()}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
