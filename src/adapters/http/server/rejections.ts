import { maxHeaderSize, type IncomingMessage } from 'node:http';
import {
  bodyIncomplete,
  ERROR_STATUS,
  ERRORS,
  headersTooLarge,
  HttpError,
  type ErrorCode,
  type Limit,
} from '../pipeline/errors.js';
import { fieldOf } from '../pipeline/header-fields.js';
import { attempt, type Log } from '../pipeline/log.js';
import { clientAddressOf, type ProxyTrust } from '../pipeline/response-log.js';

/** A request or a connection that the server itself has refused or ended. */
export interface Rejection {
  /** The HTTP status of the response; if the connection was cut without one, the status that fits the reason best. */
  readonly status: number;
  /** The `code` that goes with the status. */
  readonly code: ErrorCode;
  /** The limit that was exceeded; `undefined` for a request that is not well-formed HTTP. */
  readonly limit: Limit | undefined;
  /** The `message` of the response. It holds nothing that the client sent. */
  readonly reason: string;
  /**
   * The IP address of the client, as `trustProxy` finds it. Without that option, or if no header section has arrived, the address
   * that the connection comes from. `undefined` if the connection is closed already.
   */
  readonly clientAddress: string | undefined;
  /** The `X-Request-Id` of the response; `undefined` if none could be sent. */
  readonly requestId: string | undefined;
}

/** Called for each rejection. A client that leaves in the middle of its request is not rejected, but gets a 400 if it still reads. */
export type OnRejected = (rejection: Rejection) => void;

/** The error of what the server itself rejects, and reports. */
export class RejectionError extends HttpError {}

/** Any other error than a {@link RejectionError} means that the client has left, which is not reported. */
export type Report = (
  error: HttpError,
  connection: { readonly remoteAddress?: string | undefined },
  request?: IncomingMessage,
  requestId?: string,
) => void;

export function reportTo(
  onRejected: ((rejection: Rejection) => unknown) | undefined,
  trustProxy: ProxyTrust | undefined,
  log: Pick<Log, 'error'>,
): Report {
  return (error, { remoteAddress }, request, requestId) => {
    if (!(error instanceof RejectionError) || onRejected === undefined) return;
    const { code, limit, message: reason } = error;
    const reject = (): unknown => {
      const clientAddress = clientAddressOf({ remoteAddress, rawHeaders: request?.rawHeaders ?? [] }, trustProxy);
      return onRejected({ status: ERROR_STATUS[code], code, limit, reason, clientAddress, requestId });
    };
    attempt(reject, (err) => log.error({ err }, 'a rejection could not be reported'));
  };
}

export const REJECTIONS = {
  malformed: badRequest(ERRORS.bad_request.message),
  version: badRequest('the version must be HTTP/1.1'),
  codingInHttp10: badRequest('Transfer-Encoding needs HTTP/1.1'),
  coding: badRequest('Transfer-Encoding must be chunked, and have no Content-Length beside it'),
  method: badRequest('the method is not known: it must be one such as GET or POST, in capital letters'),
  requestLine: badRequest(
    'the request line must be a known method, a target, and HTTP/1.1, with one space between them',
  ),
  target: badRequest('the target must be a path or a URL, without spaces and control characters'),
  field: badRequest('a header field must be a name, a colon, and a value on one line, without control characters'),
  lineEnd: badRequest('each line and each chunk must end with CR LF'),
  length: badRequest('Content-Length must be decimal digits, be given once, and have no Transfer-Encoding beside it'),
  chunkSize: badRequest('the size of a chunk must be hexadecimal digits'),
  host: badRequest('Host must be given once, and be a host and an optional port'),
  connect: badRequest('CONNECT is not served here'),
  proxyProtocol: badRequest(
    'this looks like the PROXY protocol, which the server does not speak: turn it off at the proxy',
  ),
  tls: badRequest('this looks like TLS, but the server speaks plain HTTP: use http://, or let a proxy end TLS'),
  headers: exceeded('headers', 'headers_too_large', headersTooLarge(maxHeaderSize)),
  chunkExtensions: exceeded('headers', 'body_too_large', 'the chunk extensions are too large'),
  time: exceeded('time', 'request_timeout', ERRORS.request_timeout.message),
  idle: exceeded('idle', 'request_timeout', 'the client has neither sent nor read anything for too long'),
  connections: exceeded('connections', 'overloaded', 'the server has too many connections'),
  unsent: exceeded('unsent', 'overloaded', 'too many bytes of responses wait for clients that do not read them'),
};

function badRequest(message: string): RejectionError {
  return new RejectionError('bad_request', message);
}

function exceeded(limit: Limit, code: ErrorCode, message: string): RejectionError {
  return new RejectionError(code, message, [], limit);
}

/** ": " after a name, and CR LF after a value. */
const SEPARATOR_BYTES = 2;

const HOST = /^[A-Za-z0-9\-._~!$&'()*+,;=%:[\]]*$/;

/** Finds what Node lets pass, or would answer without a body (RFC 9112, sections 2.3, 3.2 and 6.1). */
export function requestError(request: IncomingMessage): RejectionError | undefined {
  const { rawHeaders, httpVersion, headers, url = '' } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return REJECTIONS.version;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && httpVersion === '1.0') return REJECTIONS.codingInHttp10;
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return REJECTIONS.coding;
  const host = fieldOf(rawHeaders, 'host');
  const isValid = host === undefined ? httpVersion === '1.0' : typeof host === 'string' && HOST.test(host);
  if (!isValid) return REJECTIONS.host;
  // Node counts only names and values, so a client could send thousands of short fields.
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + SEPARATOR_BYTES, url.length);
  return bytes > maxHeaderSize ? REJECTIONS.headers : undefined;
}

const PARSER_REJECTIONS: Readonly<Record<string, RejectionError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: REJECTIONS.time,
  HPE_INVALID_METHOD: REJECTIONS.method,
  HPE_INVALID_CONSTANT: REJECTIONS.requestLine,
  HPE_INVALID_VERSION: REJECTIONS.requestLine,
  HPE_PAUSED_H2_UPGRADE: REJECTIONS.version,
  HPE_INVALID_URL: REJECTIONS.target,
  HPE_INVALID_HEADER_TOKEN: REJECTIONS.field,
  HPE_CR_EXPECTED: REJECTIONS.lineEnd,
  HPE_LF_EXPECTED: REJECTIONS.lineEnd,
  HPE_STRICT: REJECTIONS.lineEnd,
  HPE_INVALID_CONTENT_LENGTH: REJECTIONS.length,
  HPE_UNEXPECTED_CONTENT_LENGTH: REJECTIONS.length,
  HPE_INVALID_TRANSFER_ENCODING: REJECTIONS.coding,
  HPE_INVALID_CHUNK_SIZE: REJECTIONS.chunkSize,
  HPE_HEADER_OVERFLOW: REJECTIONS.headers,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: REJECTIONS.chunkExtensions,
};

type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** The first bytes of other protocols, one character for each byte. */
const OTHER_PROTOCOLS: readonly (readonly [start: string, error: RejectionError])[] = [
  // Versions 1 and 2: https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt
  ['PROXY ', REJECTIONS.proxyProtocol],
  ['\r\n\r\n\0\r\nQUIT\n', REJECTIONS.proxyProtocol],
  // A record of a handshake (RFC 8446, section 5.1).
  ['\x16\x03', REJECTIONS.tls],
];

/** What a wrong setting causes, rather than a client. */
export const MISCONFIGURATIONS: readonly HttpError[] = OTHER_PROTOCOLS.map(([, error]) => error);

/** A client that ended its side within a request may still read, but was not rejected: its error is no {@link RejectionError}. */
export function parserError({ code = '', rawPacket }: ParserError, isInBody: boolean): HttpError {
  if (code === 'HPE_INVALID_EOF_STATE') {
    return isInBody
      ? bodyIncomplete()
      : new HttpError('bad_request', 'the request ended before its header section was whole');
  }
  const bytes = rawPacket?.toString('latin1', 0, 16) ?? '';
  const [, other] = OTHER_PROTOCOLS.find(([start]) => !isInBody && bytes.startsWith(start)) ?? [];
  return other ?? PARSER_REJECTIONS[code] ?? REJECTIONS.malformed;
}
