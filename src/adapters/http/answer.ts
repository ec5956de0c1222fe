import { ERRORS, HttpError, type ErrorCode, type Limit } from './errors.js';

/**
 * An HTTP answer, as the interface returns it to a transport. The transport adds `Date` and the fields that concern the
 * connection.
 */
export interface HttpAnswer {
  /** 200 to 599. An answer with status 204 or 304 has no body (RFC 9110, sections 15.3.5 and 15.4.5). */
  readonly status: number;
  /**
   * The names and values of the header fields in turn: `['Content-Type', 'text/html', 'Content-Length', '512']`. No name
   * occurs twice.
   */
  readonly headers: readonly string[];
  /**
   * The body. A transport sends text in UTF-8, and leaves the body out of the answer to a `HEAD`. It must not change bytes,
   * because several answers may share them.
   */
  readonly body: string | Uint8Array;
}

/** The answer of an operation, without the header fields that every answer carries, and what is reported about it. */
export interface OperationAnswer extends HttpAnswer {
  /** The `code` of its `Error` body; left out if it has none. */
  readonly code?: ErrorCode;
  /** The limit that the request exceeded; left out if it exceeded none. */
  readonly limit?: Limit | undefined;
}

/** The fields of answers, in lower case, that are lists and to which others may add (RFC 9110, section 5.3). */
const LIST_FIELDS = new Set(['access-control-expose-headers', 'link', 'vary', 'www-authenticate']);

/**
 * Whether a header field of an answer is added to one that the application around a transport has set already, such as
 * `Vary: Accept-Encoding`. Any other field replaces an earlier one.
 */
export function isListField(name: string): boolean {
  return LIST_FIELDS.has(name.toLowerCase());
}

const JSON_FIELDS: readonly string[] = ['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'];

/** An answer with a body of JSON text, which no cache may store. */
export function jsonAnswer(status: number, body: string, headers: readonly string[] = []): OperationAnswer {
  return { status, headers: [...JSON_FIELDS, ...headers], body };
}

/** An answer with an `Error` body: exactly `code`, `message` and `status`. */
export function errorAnswer(code: ErrorCode, message: string, headers: readonly string[] = []): OperationAnswer {
  const { status } = ERRORS[code];
  return { ...jsonAnswer(status, JSON.stringify({ code, message, status }), headers), code };
}

/** The answer to an {@link HttpError}. Any other error is answered as an `internal_error` that reveals nothing about it. */
export function httpErrorAnswer(error: unknown): OperationAnswer {
  if (!(error instanceof HttpError)) return errorAnswer('internal_error', ERRORS.internal_error.message);
  return { ...errorAnswer(error.code, error.message, error.headers), limit: error.limit };
}

const encoder = new TextEncoder();

/** The length of a text in UTF-8, in bytes. Node, Bun and Deno count without encoding the text. */
const byteLength: (text: string) => number =
  typeof Buffer === 'undefined' ? (text) => encoder.encode(text).length : (text) => Buffer.byteLength(text);

/** The length of an answer's body, in bytes. */
export function bodyLength({ body }: HttpAnswer): number {
  return typeof body === 'string' ? byteLength(body) : body.length;
}

/** Adds a value to a header field that is a list. */
export function addToList(headers: string[], name: string, value: string): void {
  const at = headers.findIndex((each, i) => i % 2 === 0 && each === name);
  if (at < 0) headers.push(name, value);
  else headers[at + 1] = `${headers[at + 1] ?? ''}, ${value}`;
}

/**
 * Returns the header fields of an answer with those that every answer carries, in a new array, to which the caller may add.
 *
 * @param length The length of the answer's body, in bytes.
 */
export function completeHeaders({ status, headers }: HttpAnswer, length: number, requestId: string): string[] {
  const complete = [...headers];
  complete.push('X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId);
  // A 204 has no Content-Length, and that of a 304 would be the length of the corresponding 200 (RFC 9110, section 8.6).
  if (status !== 204 && status !== 304) complete.push('Content-Length', String(length));
  return complete;
}
