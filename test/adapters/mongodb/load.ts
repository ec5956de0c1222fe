import { AnimalStoreError } from '../../../src/domain/errors.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import type { Pet } from '../../../src/domain/pet.js';
import { Counts } from '../../support/counts.js';

/** What came of a load. */
export interface LoadReport {
  /** The animals whose `add` resolved. */
  readonly stored: Pet[];
  /** Every rejection that was not `store_unavailable`. */
  readonly unexpected: unknown[];
  readonly unavailable: number;
  /** The longest that any call took, in milliseconds. */
  readonly slowestMs: number;
}

/** A load on a catalogue: a few workers that add, find and list without a pause. */
export interface Load {
  /** Resolves once so many more calls have resolved; `unavailable`: have rejected with `store_unavailable`. */
  next(what: 'answered' | 'unavailable', count: number): Promise<void>;
  /** Resolves once the calls under way have ended. */
  end(): Promise<LoadReport>;
}

/** Starts a load. */
export function startLoad(catalogue: PetCatalogue, workers = 8): Load {
  const stored: Pet[] = [];
  const unexpected: unknown[] = [];
  const counts = new Counts<'answered' | 'unavailable'>();
  let slowestMs = 0;
  let ended = false;

  const once = async (call: () => Promise<unknown>): Promise<void> => {
    const start = performance.now();
    try {
      await call();
      counts.add('answered');
    } catch (error) {
      if (error instanceof AnimalStoreError && error.code === 'store_unavailable') counts.add('unavailable');
      else unexpected.push(error);
    }
    slowestMs = Math.max(slowestMs, performance.now() - start);
  };

  const work = async (): Promise<void> => {
    while (!ended) {
      await once(async () => stored.push(await catalogue.add({ name: 'Rex', categoryId: 7n, status: 'sold' })));
      await once(async () => catalogue.find(stored.at(-1)?.id ?? 1n));
      await once(async () => catalogue.list({ limit: 5, status: 'sold' }));
    }
  };

  const all = Promise.all(Array.from({ length: workers }, work));
  return {
    next: async (what, count) => counts.next(what, count),
    async end() {
      ended = true;
      await all;
      return { stored, unexpected, unavailable: counts.of('unavailable'), slowestMs };
    },
  };
}
