import { isAnimalStoreError } from '../../domain/errors.js';
import type { MongoOperation } from '../../adapters/mongodb/operations.js';
import type { StorageMeter } from '../storage-meter.js';
import { DurationHistogram } from './duration-histogram.js';
import { keeping } from './keeping.js';

/** How a call ended, as the operations on MongoDB call it. */
type Outcome = MongoOperation['outcome'];

/** What is measured of the driven ports, whichever adapter is behind them. */
export interface StoreMetrics extends Pick<StorageMeter, 'measureCatalogue' | 'measureApiKeys'> {
  readonly durations: DurationHistogram<string>;
}

export function storeMetrics(): StoreMetrics {
  const durations = new DurationHistogram<'operation' | 'outcome'>(
    'animal_store_store_operation_duration_seconds',
    'How long a call of the store took, in seconds, by the method of the port and how the call ended.',
  );

  /** The same call, but how long it takes is recorded. Its own promise is passed on. */
  function timed<A extends unknown[], T>(
    operation: string,
    call: (...args: A) => Promise<T>,
  ): (...args: A) => Promise<T> {
    const seriesOf = keeping((outcome: Outcome) => durations.series({ operation, outcome }));
    return (...args) => {
      const start = performance.now();
      const result = call(...args);
      result.then(
        () => seriesOf('ok').record(performance.now() - start),
        (error: unknown) => seriesOf(outcomeOf(error)).record(performance.now() - start),
      );
      return result;
    };
  }

  return {
    durations,
    measureCatalogue: (catalogue) => ({
      add: timed('pets.add', (newPet) => catalogue.add(newPet)),
      list: timed('pets.list', (query) => catalogue.list(query)),
      find: timed('pets.find', (id) => catalogue.find(id)),
    }),
    measureApiKeys: (apiKeys) => ({ verify: timed('keys.verify', (key) => apiKeys.verify(key)) }),
  };
}

function outcomeOf(error: unknown): Outcome {
  if (!isAnimalStoreError(error)) return 'failed';
  return error.code === 'store_unavailable' ? 'unavailable' : 'refused';
}
