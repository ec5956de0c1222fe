import { isAnimalStoreError } from './errors.js';

/**
 * How a call of a driven port ended: `refused` with an error that the port foresees, `unavailable` without an answer in time
 * (`store_unavailable`), `failed` with any other error.
 */
export type Outcome = 'ok' | 'refused' | 'unavailable' | 'failed';

/** How a call ended that rejected with an error. */
export function outcomeOf(error: unknown): Exclude<Outcome, 'ok'> {
  if (!isAnimalStoreError(error)) return 'failed';
  return error.code === 'store_unavailable' ? 'unavailable' : 'refused';
}
