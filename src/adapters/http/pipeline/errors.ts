export function headersTooLarge(limit: number): string {
  return `the header section must not be larger than ${limit} bytes`;
}

/** The only list of codes; `docs/errors.md` repeats it. Meanings are Markdown. A message that depends on the request is left out. */
export const ERRORS = {
  invalid_parameter: { status: 400, meaning: 'a parameter breaks a rule, which the message names' },
  invalid_body: {
    status: 400,
    meaning: 'the body is missing, is not JSON, is not an object, lacks a member, or holds an invalid value',
  },
  bad_request: {
    status: 400,
    meaning: 'the request is not well-formed HTTP, or ended before its body was complete',
    message: 'the request is not well-formed HTTP',
  },
  unauthorized: {
    status: 401,
    meaning: 'the API key is missing or invalid',
    message: 'Authorization is missing: it must be "Bearer", a space, and an API key',
  },
  pet_not_found: { status: 404, meaning: 'no animal has this id' },
  route_not_found: {
    status: 404,
    meaning: 'the path does not exist, as with an empty `petId`',
    message: 'no such route',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'the path does not support the method; `Allow` lists the methods that it supports',
  },
  request_timeout: {
    status: 408,
    meaning: 'the request did not arrive in time; try again',
    message: 'the request did not arrive in time',
  },
  body_too_large: { status: 413, meaning: 'the body exceeds the limit of the service' },
  unsupported_media_type: {
    status: 415,
    meaning: 'the body is not UTF-8 JSON, or is compressed',
    message: 'Content-Type must be application/json, with charset utf-8 or no charset',
  },
  idempotency_key_reused: {
    status: 422,
    meaning:
      'the `Idempotency-Key` belongs to the creation of another animal; nothing was stored. Use a new key for each animal.',
    message: 'Idempotency-Key was sent before with another animal; each animal needs its own key',
  },
  too_many_requests: {
    status: 429,
    meaning: 'the rate limit of the key is used up; try again after `Retry-After` seconds',
    message: 'the rate limit of the key is used up; try again later',
  },
  headers_too_large: {
    status: 431,
    meaning: 'the header section exceeds the limit of the service',
    message: headersTooLarge(16_384),
  },
  internal_error: {
    status: 500,
    meaning: 'the service failed; its log has the error under the `X-Request-Id`',
    message: 'internal server error',
  },
  overloaded: {
    status: 503,
    meaning:
      'more requests are in flight than the service accepts; nothing was stored. Try again after `Retry-After` seconds.',
    message: 'too many requests are in flight; try again later',
  },
  store_unavailable: {
    status: 503,
    meaning:
      'the store did not answer in time; a creation may or may not be stored. Try again after `Retry-After` seconds.',
    message: 'the store did not answer in time; try again later',
  },
} as const satisfies Record<string, { status: number; meaning: string; message?: string }>;

/** Every `code` that an `Error` body can carry. */
export type ErrorCode = keyof typeof ERRORS;

/** The HTTP status of each code. */
export const ERROR_STATUS = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])) as {
  readonly [Code in ErrorCode]: (typeof ERRORS)[Code]['status'];
};

export const LIMITS = ['body', 'rate', 'in_flight', 'headers', 'time', 'idle', 'unsent', 'connections'] as const;

/**
 * A limit that a request or its connection can exceed:
 *
 * - `body`: the size of a body.
 * - `rate`: the rate of a key's requests.
 * - `in_flight`: the requests that wait for the store.
 * - `headers`: the size of a header section, or of chunk extensions.
 * - `time`: the time for a request to arrive.
 * - `idle`: the time in which a client neither sends nor reads.
 * - `unsent`: the bytes of responses that wait for clients.
 * - `connections`: the open connections.
 */
export type Limit = (typeof LIMITS)[number];

export function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ code, message, status: ERROR_STATUS[code] });
}

/**
 * To refuse a request, throw one. If an error holds nothing of the request, make it a constant: its stack costs more than the rest of
 * the response.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  /** The names and values, in turn, of additional header fields of the response. */
  readonly headers: readonly string[];
  /** The limit that was exceeded; `undefined` if none was. */
  readonly limit: Limit | undefined;
  #body: string | undefined;

  constructor(code: ErrorCode, message: string, headers: readonly string[] = [], limit?: Limit) {
    super(message);
    this.code = code;
    this.headers = headers;
    this.limit = limit;
  }

  /** The body of the response, which is written once. */
  get body(): string {
    return (this.#body ??= errorBody(this.code, this.message));
  }
}

export const INTERNAL_ERROR = new HttpError('internal_error', ERRORS.internal_error.message);

export const ROUTE_NOT_FOUND = new HttpError('route_not_found', ERRORS.route_not_found.message);

export const TRAILING_SLASH = new HttpError('route_not_found', 'no such route: the path must not end with a slash');

export function methodNotAllowed(allow: string): HttpError {
  return new HttpError('method_not_allowed', `the method must be one of ${allow}`, ['Allow', allow]);
}

/** The error for a body that is larger than the limit, in bytes. */
export function bodyTooLarge(limit: number): HttpError {
  return new HttpError('body_too_large', `the body must not be larger than ${limit} bytes`, [], 'body');
}

export function bodyReadBefore(): Error {
  return new Error('the body of the request was read before it reached the animal store');
}

/** The error for a body whose connection closed before it was complete. @param cause The error of the runtime. */
export function bodyIncomplete(cause?: unknown): HttpError {
  return Object.assign(new HttpError('bad_request', 'the request ended before its body was complete'), { cause });
}
