import type { IncomingMessage } from 'node:http';
import { bodyIncomplete, ERRORS, HttpError } from '../errors.js';
import { HEADERS_MAX_BYTES } from '../limits.js';
import { onlyFieldValue } from '../request.js';

/** The error of a request or a connection that the server itself refuses, and reports. */
export class RefusalError extends HttpError {}

const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** The bytes of a request line beside the method and the target: two spaces, the version, the line end. */
const REQUEST_LINE_BYTES = 12;
/** The bytes of a field beside its name and its value: the colon and the line end. */
const FIELD_BYTES = 3;

/**
 * Checks what Node's parser lets pass: the version, the transfer coding and `Host` (RFC 9112, sections 2.3, 6.1 and 3.2),
 * for which Node itself would answer without a body, and the size of the header section, of which Node counts only the
 * target, the names and the values. Returns the error of the request, if it has one.
 */
export function requestError(request: IncomingMessage): RefusalError | undefined {
  const { rawHeaders, httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('the version must be HTTP/1.1');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0') return badRequest('Transfer-Encoding needs HTTP/1.1');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return badRequest('Transfer-Encoding must be chunked, or be left out');
  }
  const host = onlyFieldValue(rawHeaders, 'host');
  const isValid = host === undefined ? httpVersion === '1.0' && headers.host === undefined : HOST.test(host);
  if (!isValid) return badRequest('Host must be given once, and be a host and an optional port');
  return headerBytes(request) > HEADERS_MAX_BYTES ? headersTooLarge() : undefined;
}

function headerBytes({ rawHeaders, method = '', url = '' }: IncomingMessage): number {
  let bytes = REQUEST_LINE_BYTES + method.length + url.length + (rawHeaders.length / 2) * FIELD_BYTES;
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

/** The code of Node's error for a request that does not arrive in time. */
export const REQUEST_TIMEOUT_CODE = 'ERR_HTTP_REQUEST_TIMEOUT';

/**
 * The error to answer with after an error of Node's parser; `undefined` after an error of the connection, because no client is
 * left to be answered. A client that has ended its side within a request may still read the answer, but it was not refused:
 * its error is no {@link RefusalError}.
 *
 * @param isInBody Whether the header section of the request had arrived whole.
 */
export function parserError({ code = '' }: NodeJS.ErrnoException, isInBody: boolean): HttpError | undefined {
  switch (code) {
    case REQUEST_TIMEOUT_CODE:
      return new RefusalError('request_timeout', ERRORS.request_timeout.message, [], 'time');
    case 'HPE_INVALID_EOF_STATE':
      return isInBody
        ? bodyIncomplete()
        : new HttpError('bad_request', 'the request ended before its header section was whole');
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new RefusalError('body_too_large', 'the chunk extensions are too large', [], 'headers');
    default:
      return code.startsWith('HPE_') ? notHttp() : undefined;
  }
}

/** For bytes that are not a request. */
export function notHttp(): RefusalError {
  return badRequest(ERRORS.bad_request.message);
}

/** For a `CONNECT`: this server is not a proxy. */
export function connectRefused(): RefusalError {
  return badRequest('CONNECT is not served here');
}

/** For a client that neither sends its body nor reads its answer. */
export function clientIsIdle(): RefusalError {
  return new RefusalError('request_timeout', 'the client has neither sent nor read anything for too long', [], 'idle');
}

/** For a connection beyond the limit. */
export function tooManyConnections(): RefusalError {
  const message = 'the server has too many connections; try again later';
  return new RefusalError('overloaded', message, ['Retry-After', '1'], 'connections');
}

/** For a request that waits on its connection while too many others do. */
export function tooManyPipelined(): RefusalError {
  return new RefusalError('overloaded', 'too many pipelined requests wait', [], 'pipelined');
}

/** For the connection that holds most while too many bytes of answers wait for clients. */
export function tooMuchUnsent(): RefusalError {
  const message = 'too many bytes of answers wait for clients that do not read them';
  return new RefusalError('overloaded', message, [], 'unsent');
}

function badRequest(message: string): RefusalError {
  return new RefusalError('bad_request', message);
}

function headersTooLarge(): RefusalError {
  return new RefusalError('headers_too_large', ERRORS.headers_too_large.message, [], 'headers');
}
