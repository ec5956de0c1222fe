import { reasonOf, type CallOptions } from './call-options.js';
import { isAnimalStoreError } from './errors.js';

/**
 * How a call of a driven port ended: `refused` with an error that the port foresees, `unavailable` without an answer in time
 * (`store_unavailable`), `aborted` because its caller cancelled it, `failed` with any other error.
 */
export type CallOutcome = 'ok' | 'refused' | 'unavailable' | 'aborted' | 'failed';

export function outcomeOfRejection(error: unknown, { signal }: CallOptions = {}): Exclude<CallOutcome, 'ok'> {
  if (signal?.aborted === true && error === reasonOf(signal)) return 'aborted';
  if (!isAnimalStoreError(error)) return 'failed';
  return error.code === 'store_unavailable' ? 'unavailable' : 'refused';
}
