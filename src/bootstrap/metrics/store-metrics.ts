import { InMemoryPetCatalogue } from '../../adapters/in-memory/in-memory-pet-catalogue.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import type { PetCatalogue } from '../../domain/pet-catalogue.js';
import type { StoreMeter } from '../store-meter.js';
import { DurationHistogram } from './duration-histogram.js';

/** The histogram of the calls of the driven ports, and what fills it. */
export interface StoreMetrics extends StoreMeter {
  readonly durations: DurationHistogram;
}

/** Kept, because the global one is behind a getter of Node's, which costs nearly as much as reading the clock. */
const clock = performance;

/** Measures how long the calls of the driven ports take, and how they end. */
export function storeMetrics(): StoreMetrics {
  const durations = new DurationHistogram(
    'animal_store_store_operation_duration_seconds',
    'How long a call of the store took, in seconds, by the method of the port and how the call ended.',
    ['operation', 'outcome'],
  );

  /** The same call, with its own promise, but how long it takes is recorded. */
  function timed<A extends unknown[], T>(operation: string, call: (...args: A) => Promise<T>): typeof call {
    const succeeded = durations.series(operation, 'ok');
    return (...args) => {
      const start = clock.now();
      const recordFailure = (error: unknown): void =>
        durations.series(operation, outcomeOf(error)).record(clock.now() - start);
      try {
        const result = call(...args);
        result.then(() => succeeded.record(clock.now() - start), recordFailure);
        return result;
      } catch (error) {
        recordFailure(error);
        throw error;
      }
    };
  }

  /** As {@link timed}, for a call that never fails, and has ended when it returns. */
  function timedAtOnce<A extends unknown[], T>(operation: string, call: (...args: A) => Promise<T>): typeof call {
    const succeeded = durations.series(operation, 'ok');
    return (...args) => {
      const start = clock.now();
      const result = call(...args);
      succeeded.record(clock.now() - start);
      return result;
    };
  }

  /** A method of the catalogue in memory need not be waited for, unless another one is in its place. */
  function timerOf(catalogue: PetCatalogue, method: keyof PetCatalogue): typeof timed {
    return catalogue[method] === InMemoryPetCatalogue.prototype[method] ? timedAtOnce : timed;
  }

  return {
    durations,
    measureCatalogue(catalogue) {
      const addOnce = catalogue.addOnce?.bind(catalogue);
      return {
        add: timerOf(catalogue, 'add')('pets.add', (newPet) => catalogue.add(newPet)),
        ...(addOnce !== undefined && { addOnce: timed('pets.add_once', addOnce) }),
        list: timerOf(catalogue, 'list')('pets.list', (query) => catalogue.list(query)),
        find: timerOf(catalogue, 'find')('pets.find', (id) => catalogue.find(id)),
      };
    },
    measureApiKeys: (apiKeys) => ({ verify: timed('keys.verify', (key) => apiKeys.verify(key)) }),
  };
}

/** How a call that rejected ended, in the words of the label `outcome`. */
function outcomeOf(error: unknown): 'refused' | 'unavailable' | 'failed' {
  if (!isAnimalStoreError(error)) return 'failed';
  return error.code === 'store_unavailable' ? 'unavailable' : 'refused';
}
