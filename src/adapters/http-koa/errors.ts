import type { AnimalStoreErrorCode } from '../../domain/errors.js';

/** Every `code` that an error's body may carry, with the HTTP status of its answer. */
export const ERROR_STATUS = {
  invalid_parameter: 400,
  invalid_body: 400,
  bad_request: 400,
  unauthorized: 401,
  pet_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  body_too_large: 413,
  unsupported_media_type: 415,
  headers_too_large: 431,
  internal_error: 500,
  store_unavailable: 503,
} as const;

/** One of the codes of {@link ERROR_STATUS}. */
export type ErrorCode = keyof typeof ERROR_STATUS;

/** What each error of the core is to an HTTP client. A new code of the core does not compile until it stands here. */
export const CODE_OF: Readonly<Record<AnimalStoreErrorCode, ErrorCode>> = {
  invalid_pet: 'invalid_body',
  invalid_query: 'invalid_parameter',
  pet_not_found: 'pet_not_found',
  store_unavailable: 'store_unavailable',
};

/** A request that this adapter itself refuses. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  /** Header fields that the answer carries beyond the usual ones. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }
}
