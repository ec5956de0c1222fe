import { AnimalStoreError } from '../../../src/domain/errors.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import type { Pet } from '../../../src/domain/pet.js';
import { Load, type LoadClient } from '../../support/load.js';

/** A load on a catalogue. */
export interface CatalogueLoad {
  readonly load: Load;
  /** The animals whose `add` resolved so far. */
  readonly stored: readonly Pet[];
}

/** Starts clients that add, find and list animals. A call is unavailable if it rejects with `store_unavailable`. */
export function startCatalogueLoad(catalogue: PetCatalogue, clients = 8): CatalogueLoad {
  const stored: Pet[] = [];
  const calls = [
    async () => stored.push(await catalogue.add({ name: 'Rex', categoryId: 7n, status: 'sold' })),
    async () => catalogue.find(stored.at(-1)?.id ?? 1n),
    async () => catalogue.list({ limit: 5, status: 'sold' }),
  ];
  return { stored, load: new Load(Array.from({ length: clients }, () => clientOf(calls))) };
}

async function* clientOf(calls: readonly (() => Promise<unknown>)[]): LoadClient {
  for (;;) for (const call of calls) yield await resultOf(call);
}

async function resultOf(call: () => Promise<unknown>): Promise<unknown> {
  try {
    await call();
    return 'answered';
  } catch (error) {
    return error instanceof AnimalStoreError && error.code === 'store_unavailable' ? 'unavailable' : error;
  }
}
