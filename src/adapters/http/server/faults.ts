import type { IncomingMessage } from 'node:http';
import { bodyIncomplete, HttpError, type ErrorCode } from '../errors.js';
import { onlyFieldValue } from '../request.js';

/** Every {@link ServerLimit}. */
export const SERVER_LIMITS = ['headers', 'time', 'body_rate', 'idle', 'pipelined', 'unsent', 'connections'] as const;

/**
 * A limit of the server: the size of the header section or of chunk extensions, the time for a request, the rate at which its
 * body arrives, the time in which a client neither sends nor reads, the requests that wait behind others on their connections,
 * the bytes of answers that wait for clients, the open connections.
 */
export type ServerLimit = (typeof SERVER_LIMITS)[number];

/** What the server itself finds wrong with a request or a connection, and reports. */
export class ServerFault extends HttpError {
  /** The limit of the server that was exceeded; `undefined` for a request that is not well-formed HTTP. */
  readonly exceeded: ServerLimit | undefined;

  constructor(code: ErrorCode, message: string, exceeded?: ServerLimit, headers?: readonly string[]) {
    super(code, message, headers);
    this.exceeded = exceeded;
  }
}

const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/**
 * The greatest size of a header section, in bytes. It counts the request line, and of each field the name, the colon, the
 * value and the line end; not the white space around a value, which the parser drops.
 */
export const HEADERS_MAX_BYTES = 16_384;

/** What a request line has beside the method and the target: two spaces, the version, the line end. */
const REQUEST_LINE_BYTES = 12;
/** What a field has beside its name and its value: the colon and the line end. */
const FIELD_BYTES = 3;

/**
 * The fault of a request that Node's parser lets pass: in its version, its transfer coding or its `Host` (RFC 9112,
 * sections 2.3, 6.1 and 3.2), for which Node itself would answer without a body, or in the size of its header section, of
 * which Node counts the target, the names and the values alone.
 */
export function faultOfRequest(request: IncomingMessage): ServerFault | undefined {
  const { rawHeaders, httpVersion, headers } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('the version must be HTTP/1.1');
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0') return badRequest('Transfer-Encoding needs HTTP/1.1');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return badRequest('Transfer-Encoding must be chunked, or be left out');
  }
  const host = onlyFieldValue(rawHeaders, 'host');
  const isSound = host === undefined ? httpVersion === '1.0' && headers.host === undefined : HOST.test(host);
  if (!isSound) return badRequest('Host must be given once, and be a host and an optional port');
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
 * What Node found wrong with a request; `undefined` for an error of the connection, after which nobody can be answered. If the
 * client has ended its side within a request, it may still read the answer, but the error is no {@link ServerFault}.
 *
 * @param isInBody Whether the header section of the request had arrived whole.
 */
export function faultOfError({ code = '' }: NodeJS.ErrnoException, isInBody: boolean): HttpError | undefined {
  switch (code) {
    case REQUEST_TIMEOUT_CODE:
      return new ServerFault('request_timeout', 'the request did not arrive in time', 'time');
    case 'HPE_INVALID_EOF_STATE':
      return isInBody
        ? bodyIncomplete()
        : new HttpError('bad_request', 'the request ended before its header section was whole');
    case 'HPE_HEADER_OVERFLOW':
      return headersTooLarge();
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new ServerFault('body_too_large', 'the chunk extensions are too large', 'headers');
    default:
      return code.startsWith('HPE_') ? notHttp() : undefined;
  }
}

/** The fault of bytes that are not a request. */
export function notHttp(): ServerFault {
  return badRequest('the request is not well-formed HTTP');
}

/** The fault of a `CONNECT`: this server is not a proxy. */
export function connectFault(): ServerFault {
  return badRequest('CONNECT is not served here');
}

/** The fault of a body that arrives more slowly than `bytesPerSecond`. */
export function bodyTooSlow(bytesPerSecond: number): ServerFault {
  return new ServerFault('request_timeout', `the body must arrive at ${bytesPerSecond} bytes a second`, 'body_rate');
}

/** The fault of a client that neither sends its body nor reads its answer. */
export function clientIsIdle(): ServerFault {
  return new ServerFault('request_timeout', 'the client has neither sent nor read anything for too long', 'idle');
}

/** The fault of a connection beyond the limit. */
export function tooManyConnections(): ServerFault {
  const message = 'the server has too many connections; try again later';
  return new ServerFault('overloaded', message, 'connections', ['Retry-After', '1']);
}

/** The fault of a request that waits on its connection while too many others do. */
export function tooManyPipelined(): ServerFault {
  return new ServerFault('overloaded', 'too many pipelined requests wait', 'pipelined');
}

/** The fault of the connection that holds most while too many bytes of answers wait for clients. */
export function tooMuchUnsent(): ServerFault {
  return new ServerFault('overloaded', 'too many bytes of answers wait for clients that do not read them', 'unsent');
}

function badRequest(message: string): ServerFault {
  return new ServerFault('bad_request', message);
}

function headersTooLarge(): ServerFault {
  const size = `${HEADERS_MAX_BYTES / 1024} KiB`;
  return new ServerFault('headers_too_large', `the header section must not be larger than ${size}`, 'headers');
}
