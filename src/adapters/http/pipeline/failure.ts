import { isAnimalStoreError, type AnimalStoreErrorCode } from '../../../domain/errors.js';
import { ERROR_STATUS, errorBody, ERRORS, HttpError, INTERNAL_ERROR, type ErrorCode } from './errors.js';
import { errorResponse, jsonResponse, type OperationResponse } from './http-response.js';

/** No operation manages API keys, moves animals or aborts a creation, so their errors are internal errors. */
const CODE_OF: Readonly<Record<AnimalStoreErrorCode, ErrorCode>> = {
  invalid_pet: 'invalid_body',
  invalid_query: 'invalid_parameter',
  pet_not_found: 'pet_not_found',
  creation_aborted: 'internal_error',
  idempotency_key_reused: 'idempotency_key_reused',
  idempotency_not_supported: 'invalid_parameter',
  invalid_key_request: 'internal_error',
  api_key_not_found: 'internal_error',
  api_key_not_active: 'internal_error',
  invalid_record: 'internal_error',
  restore_conflict: 'internal_error',
  transfer_not_supported: 'internal_error',
  store_unavailable: 'store_unavailable',
};

/** What HTTP words differently from the core. */
const MESSAGE_OF: Partial<Record<AnimalStoreErrorCode, string>> = {
  idempotency_key_reused: ERRORS.idempotency_key_reused.message,
  idempotency_not_supported: 'Idempotency-Key must not be given: this service does not support Idempotency-Key',
};

const STORE_UNAVAILABLE = new HttpError('store_unavailable', ERRORS.store_unavailable.message, ['Retry-After', '1']);

export function failureResponse(error: unknown): OperationResponse {
  if (error instanceof HttpError) return errorResponse(error);
  const code = isAnimalStoreError(error) ? CODE_OF[error.code] : 'internal_error';
  if (code === 'store_unavailable') return errorResponse(STORE_UNAVAILABLE);
  if (code === 'internal_error' || !isAnimalStoreError(error)) return errorResponse(INTERNAL_ERROR);
  const message = MESSAGE_OF[error.code] ?? error.message;
  return { ...jsonResponse(ERROR_STATUS[code], errorBody(code, message)), code };
}
