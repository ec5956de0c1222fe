import { Histogram, type Registry } from 'prom-client';
import { isAnimalStoreError } from '../../domain/errors.js';
import type { StorageMeter } from '../storage-meter.js';
import { DURATION_BUCKETS } from './buckets.js';

/** Measures the calls of the driven ports, whichever adapter is behind them. */
export function storeMetrics(registers: Registry[]): Pick<StorageMeter, 'measureCatalogue' | 'measureApiKeys'> {
  const durations = new Histogram({
    name: 'animal_store_store_operation_duration_seconds',
    help: 'How long a call of the store took, in seconds, by the method of the port and how the call ended.',
    labelNames: ['operation', 'outcome'],
    buckets: DURATION_BUCKETS,
    registers,
  });

  async function measured<T>(operation: string, call: Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      const result = await call;
      durations.observe({ operation, outcome: 'ok' }, (performance.now() - start) / 1000);
      return result;
    } catch (error) {
      durations.observe({ operation, outcome: outcomeOf(error) }, (performance.now() - start) / 1000);
      throw error;
    }
  }

  return {
    measureCatalogue: (catalogue) => ({
      add: async (newPet) => measured('pets.add', catalogue.add(newPet)),
      list: async (query) => measured('pets.list', catalogue.list(query)),
      find: async (id) => measured('pets.find', catalogue.find(id)),
    }),
    measureApiKeys: (apiKeys) => ({
      verify: async (key) => measured('keys.verify', apiKeys.verify(key)),
    }),
  };
}

/** As the operations on MongoDB call it. */
function outcomeOf(error: unknown): 'refused' | 'unavailable' | 'failed' {
  if (!isAnimalStoreError(error)) return 'failed';
  return error.code === 'store_unavailable' ? 'unavailable' : 'refused';
}
