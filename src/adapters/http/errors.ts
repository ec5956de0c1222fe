/** Every `code` that an `Error` body can carry, with the HTTP status of its answer. */
export const ERROR_STATUS = {
  invalid_parameter: 400,
  invalid_body: 400,
  bad_request: 400,
  unauthorized: 401,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal_error: 500,
  overloaded: 503,
  store_unavailable: 503,
} as const;

/** One of the codes of {@link ERROR_STATUS}. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** Every {@link Limit}. */
export const LIMITS = [
  'body',
  'rate',
  'in_flight',
  'headers',
  'time',
  'idle',
  'pipelined',
  'unsent',
  'connections',
] as const;

/**
 * A limit that a request or its connection can exceed.
 *
 * - `body`: the size of a body.
 * - `rate`: the rate of a key's requests.
 * - `in_flight`: the requests that wait for the store.
 * - `headers`: the size of a header section, or of chunk extensions.
 * - `time`: the time for a request to arrive.
 * - `idle`: the time in which a client neither sends nor reads.
 * - `pipelined`: the requests that wait behind others on their connections.
 * - `unsent`: the bytes of answers that wait for clients.
 * - `connections`: the open connections.
 */
export type Limit = (typeof LIMITS)[number];

/** The error of a request that is refused: with its `code`, its message, and the limit that it exceeded. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  /** The names and values, in turn, of further header fields of the answer. */
  readonly headers: readonly string[];
  /** The limit that was exceeded; `undefined` if none was. */
  readonly limit: Limit | undefined;

  constructor(code: ErrorCode, message: string, headers: readonly string[] = [], limit?: Limit) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.limit = limit;
  }
}

/** The error for a body that is larger than the limit, in bytes. */
export function bodyTooLarge(limit: number): HttpError {
  return new HttpError('body_too_large', `the body must not be larger than ${limit} bytes`, [], 'body');
}

/** The error for a body whose connection closed before it was whole. */
export function bodyIncomplete(): HttpError {
  return new HttpError('bad_request', 'the request ended before its body was whole');
}
