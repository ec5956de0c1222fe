import { ERROR_STATUS, type ErrorCode, type HttpError, type Limit } from './errors.js';

/** An HTTP response, to which the transport adds `Date` and the fields that concern the connection. */
export interface HttpResponse {
  /** 200 to 599. A response with status 204 or 304 has no body (RFC 9110, sections 15.3.5 and 15.4.5). */
  readonly status: number;
  /**
   * The names and values of the header fields in turn: `['Content-Type', 'text/html', 'Content-Length', '512']`. Only a field
   * that is a list, such as `Vary`, may occur twice.
   */
  readonly headers: readonly string[];
  /**
   * The body. A transport sends text in UTF-8, and leaves the body out of the response to a `HEAD`. It must not change bytes,
   * because several responses may share them.
   */
  readonly body: string | Uint8Array;
  /** The length of the body, in bytes: that of a text in UTF-8. */
  readonly length: number;
}

/** The response of an operation, without the header fields that every response carries. */
export interface OperationResponse {
  readonly status: number;
  /** In an array of its own: others are added to it. */
  readonly headers: string[];
  readonly body: string | Uint8Array;
  /** The `Cache-Control`. @default 'no-store' */
  readonly cacheControl?: string;
  readonly code?: ErrorCode;
  readonly limit?: Limit | undefined;
}

/** The lists to which others may add (RFC 9110, section 5.3). */
const LIST_FIELDS = new Set(['access-control-expose-headers', 'link', 'vary', 'www-authenticate']);

/** Whether a field adds to what the application around a transport has set, such as `Vary: Accept-Encoding`. Others replace it. */
export function isListField(name: string): boolean {
  return LIST_FIELDS.has(name.toLowerCase());
}

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonResponse(status: number, body: string, ...headers: readonly string[]): OperationResponse {
  return { status, headers: ['Content-Type', JSON_TYPE, ...headers], body };
}

export function errorResponse({ code, headers, limit, body }: HttpError): OperationResponse {
  return { status: ERROR_STATUS[code], headers: ['Content-Type', JSON_TYPE, ...headers], body, code, limit };
}

const encoder = new TextEncoder();

/** In UTF-8. Node, Bun and Deno count without encoding the text. */
const byteLength: (text: string) => number =
  typeof Buffer === 'undefined' ? (text) => encoder.encode(text).length : (text) => Buffer.byteLength(text);

/** Returns the length of the body, in bytes. */
export function completeHeaders(response: OperationResponse, requestId: string): number {
  const { status, headers, body, cacheControl = 'no-store' } = response;
  const length = typeof body === 'string' ? byteLength(body) : body.length;
  headers.push('X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId, 'Cache-Control', cacheControl);
  // A 204 has none, and that of a 304 would be the length of the corresponding 200 (RFC 9110, section 8.6).
  if (status !== 204 && status !== 304) headers.push('Content-Length', String(length));
  return length;
}
