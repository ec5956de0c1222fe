import { isAnimalStoreError, type AnimalStoreError } from '../../domain/errors.js';
import { CODE_OF, ERROR_STATUS, HttpError, type ErrorCode } from './errors.js';

/** One HTTP answer, as the interface hands it to a transport, which adds what frames it: `Content-Length`, `Date`. */
export interface HttpAnswer {
  /** 200 to 599. */
  readonly status: number;
  /** Names and values of the header fields in turn: `['Content-Type', 'text/html']`. No name stands twice. */
  readonly headers: readonly string[];
  /** The body; text is to be sent in UTF-8. The transport leaves it out of the answer to a `HEAD`. */
  readonly body: string | Uint8Array;
}

const JSON_TYPE = ['Content-Type', 'application/json; charset=utf-8'] as const;

/** An answer with a body of JSON text. */
export function jsonAnswer(status: number, body: string, headers: readonly string[] = []): HttpAnswer {
  return { status, headers: [...JSON_TYPE, ...headers], body };
}

/** An answer with an `Error` body: exactly `code`, `message` and `status`. */
export function errorAnswer(code: ErrorCode, message: string, headers: readonly string[] = []): HttpAnswer {
  const status = ERROR_STATUS[code];
  return jsonAnswer(status, JSON.stringify({ code, message, status }), headers);
}

/** The answer to a request that failed. An error that nobody foresaw becomes an `internal_error` that tells nothing of it. */
export function failureAnswer(error: unknown): HttpAnswer {
  if (error instanceof HttpError) return errorAnswer(error.code, error.message, error.headers);
  const code = isAnimalStoreError(error) ? CODE_OF[error.code] : 'internal_error';
  if (code === 'internal_error') return errorAnswer(code, 'the service failed; the fault is not yours');
  if (code === 'store_unavailable') {
    return errorAnswer(code, 'the store did not answer in time; try again later', ['Retry-After', '1']);
  }
  return errorAnswer(code, (error as AnimalStoreError).message);
}

/** An answer with the header fields that every answer carries, and with those that its route adds. */
export function withCommonHeaders(
  { status, headers, body }: HttpAnswer,
  requestId: string,
  more: readonly string[] = [],
): HttpAnswer {
  const common = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId];
  return { status, headers: [...headers, ...common, ...more], body };
}
