import type { Registry } from 'prom-client';
import type { CallOptions } from '../../domain/call-options.js';
import { outcomeOfRejection, type CallOutcome } from '../../domain/call-outcome.js';
import { hasAddOnce } from '../../domain/pet-catalogue.js';
import type { StoreMeter } from '../tokens.js';
import { durationHistogram } from './duration-histogram.js';

/** A copy of the global, whose getter in Node costs nearly as much as reading the clock. */
const clock = performance;

/** Measures how long calls to the driven ports take, and how they end. */
export function storeMeter(registers: Registry[]): StoreMeter {
  const durations = durationHistogram(
    'animal_store_store_operation_duration_seconds',
    'How long a call of the store took, in seconds, by the method of the port and how the call ended.',
    ['operation', 'outcome'],
    registers,
  );

  /**
   * Records how long a call takes. Returns the call's own promise.
   *
   * @param optionsAt The position of the call's options among its arguments, if it has any.
   */
  function timed<A extends unknown[], T>(
    operation: string,
    call: (...args: A) => Promise<T>,
    optionsAt: number,
  ): typeof call {
    const record = (outcome: CallOutcome, start: number): void =>
      durations.observe({ operation, outcome }, (clock.now() - start) / 1000);
    // Prometheus sees a count grow only if it has read an earlier value.
    durations.zero({ operation, outcome: 'ok' });
    return (...args) => {
      const start = clock.now();
      const recordFailure = (error: unknown): void =>
        record(outcomeOfRejection(error, args[optionsAt] as CallOptions | undefined), start);
      try {
        const result = call(...args);
        result.then(() => record('ok', start), recordFailure);
        return result;
      } catch (error) {
        recordFailure(error);
        throw error;
      }
    };
  }

  return {
    measureCatalogue(catalogue) {
      return {
        add: timed('pets.add', (newPet, options) => catalogue.add(newPet, options), 1),
        ...(hasAddOnce(catalogue) && {
          addOnce: timed('pets.add_once', (newPet, key, options) => catalogue.addOnce(newPet, key, options), 2),
        }),
        list: timed('pets.list', (query, options) => catalogue.list(query, options), 1),
        find: timed('pets.find', (id, options) => catalogue.find(id, options), 1),
      };
    },
    measureApiKeys: (apiKeys) => ({ verify: timed('keys.verify', (key) => apiKeys.verify(key), 1) }),
  };
}
