import type { AnimalStore } from '../../../application/animal-store.js';
import type { ApiKeys } from '../../../domain/api-keys/api-keys.js';
import { HttpError } from '../errors.js';

/** What requests wait for. */
interface Ports {
  readonly store: AnimalStore;
  readonly apiKeys: ApiKeys;
}

/**
 * The same ports, but a call is refused at once while `maxInFlight` others have not ended. It counts the requests that
 * wait for the store, and not those whose bodies are still arriving: slow clients cannot use the limit up.
 *
 * @throws HttpError `overloaded`, from the calls.
 */
export function withMaxInFlight({ store, apiKeys }: Ports, maxInFlight: number): Ports {
  let inFlight = 0;

  /** The same call, with its own promise: an async function around it would cost a frame and another promise. */
  function limited<A extends unknown[], T>(call: (...args: A) => Promise<T>): typeof call {
    return (...args) => {
      if (inFlight >= maxInFlight) return Promise.reject(overloaded());
      const result = call(...args);
      // After the call: one that throws at once has ended.
      inFlight++;
      result.then(release, release);
      return result;
    };
  }

  function release(): void {
    inFlight--;
  }

  const createPetOnce = store.createPetOnce?.bind(store);
  return {
    store: {
      listPets: limited((query) => store.listPets(query)),
      createPet: limited((input, options) => store.createPet(input, options)),
      ...(createPetOnce !== undefined && { createPetOnce: limited(createPetOnce) }),
      getPet: limited((id) => store.getPet(id)),
    },
    apiKeys: { verify: limited((key) => apiKeys.verify(key)) },
  };
}

function overloaded(): HttpError {
  const message = 'too many requests are in flight; try again later';
  return new HttpError('overloaded', message, ['Retry-After', '1'], 'in_flight');
}
