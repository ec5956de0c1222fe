import { ERRORS, HttpError } from './errors.js';
import type { HttpInterfaceOptions } from './http-interface-options.js';

/** The ports that requests wait for. */
type Ports = Pick<HttpInterfaceOptions, 'store' | 'apiKeys'>;

/**
 * Wraps the ports so that a call rejects immediately, with the `HttpError` `overloaded`, while `maxInFlight` other calls are
 * pending. Only requests that wait for the store count, not those whose bodies are still arriving. Slow clients therefore
 * cannot use up the limit.
 */
export function withMaxInFlight({ store, apiKeys }: Ports, maxInFlight: number): Ports {
  let inFlight = 0;

  /** Returns the promise of the call itself. An async function would cost another frame and another promise. */
  function limited<A extends unknown[], T>(call: (...args: A) => Promise<T>): typeof call {
    return (...args) => {
      if (inFlight >= maxInFlight) return Promise.reject(overloaded());
      const result = call(...args);
      // Counted after the call, because a call that throws is not pending.
      inFlight++;
      result.then(release, release);
      return result;
    };
  }

  function release(): void {
    inFlight--;
  }

  return {
    store: {
      listPets: limited((query, options) => store.listPets(query, options)),
      createPet: limited((input, options) => store.createPet(input, options)),
      createPetOnce: limited((input, idempotencyKey, options) => store.createPetOnce(input, idempotencyKey, options)),
      getPet: limited((id, options) => store.getPet(id, options)),
    },
    apiKeys: { verify: limited((key) => apiKeys.verify(key)) },
  };
}

function overloaded(): HttpError {
  const { message } = ERRORS.overloaded;
  return new HttpError('overloaded', message, ['Retry-After', '1'], 'in_flight');
}
