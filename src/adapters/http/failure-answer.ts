import { isAnimalStoreError, type AnimalStoreError, type AnimalStoreErrorCode } from '../../domain/errors.js';
import { errorAnswer, httpErrorAnswer, type OperationAnswer } from './answer.js';
import type { ErrorCode } from './errors.js';

/**
 * The code that an HTTP client sees for each error of the core. A new code of the core does not compile until it is listed
 * here. No operation manages API keys, so their errors are internal errors.
 */
const CODE_OF: Readonly<Record<AnimalStoreErrorCode, ErrorCode>> = {
  invalid_pet: 'invalid_body',
  invalid_query: 'invalid_parameter',
  pet_not_found: 'pet_not_found',
  once_key_reused: 'idempotency_key_reused',
  invalid_key_request: 'internal_error',
  api_key_not_found: 'internal_error',
  api_key_not_in_force: 'internal_error',
  store_unavailable: 'store_unavailable',
};

/** The answer to a request whose guard or handler threw: an error of the core, an `HttpError`, or any other error. */
export function failureAnswer(error: unknown): OperationAnswer {
  const code = isAnimalStoreError(error) ? CODE_OF[error.code] : 'internal_error';
  if (code === 'internal_error') return httpErrorAnswer(error);
  if (code === 'store_unavailable') {
    return errorAnswer(code, 'the store did not answer in time; try again later', ['Retry-After', '1']);
  }
  if (code === 'idempotency_key_reused') {
    return errorAnswer(code, 'Idempotency-Key was sent before with another animal; each animal needs a key of its own');
  }
  return errorAnswer(code, (error as AnimalStoreError).message);
}
