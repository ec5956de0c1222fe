import { setTimeout as pause } from 'node:timers/promises';
import type { ApiKeyRegistry } from '../../domain/api-keys/api-keys.js';
import { isAnimalStoreError } from '../../domain/errors.js';
import type { PetCatalogue, PetRecord } from '../../domain/pet-catalogue.js';

const PATIENCE = { totalMs: 60_000, pauseMs: 1000 };

async function pauseAfter(error: unknown, end: number, pauseMs: number): Promise<void> {
  const isUnavailable = isAnimalStoreError(error) && error.code === 'store_unavailable';
  if (!isUnavailable || performance.now() + pauseMs > end) throw error;
  await pause(pauseMs);
}

/** The call must be idempotent. */
async function patiently<T>(call: () => Promise<T>, { totalMs, pauseMs }: typeof PATIENCE): Promise<T> {
  const end = performance.now() + totalMs;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      await pauseAfter(error, end, pauseMs);
    }
  }
}

/** Repeats only idempotent calls, while the store is unavailable. */
export function patientCatalogue(catalogue: PetCatalogue, patience = PATIENCE): PetCatalogue {
  const { addOnce, records, restore } = catalogue;
  return {
    add: async (newPet, options) => catalogue.add(newPet, options),
    find: async (id, options) => catalogue.find(id, options),
    list: async (query, options) => patiently(async () => catalogue.list(query, options), patience),
    ...(addOnce && {
      addOnce: async (newPet, key, options) =>
        patiently(async () => addOnce.call(catalogue, newPet, key, options), patience),
    }),
    ...(records && { records: (after) => resumed(records.bind(catalogue), after, patience) }),
    ...(restore && { restore: async (given) => patiently(async () => restore.call(catalogue, given), patience) }),
  };
}

export function patientRegistry(registry: ApiKeyRegistry, patience = PATIENCE): ApiKeyRegistry {
  return {
    add: async (record) => patiently(async () => registry.add(record), patience),
    list: async (query) => patiently(async () => registry.list(query), patience),
    find: async (id) => patiently(async () => registry.find(id), patience),
    replace: async (before, after) => registry.replace(before, after),
  };
}

async function* resumed(
  records: (after?: bigint) => AsyncIterable<PetRecord>,
  after: bigint | undefined,
  { totalMs, pauseMs }: typeof PATIENCE,
): AsyncGenerator<PetRecord, void, undefined> {
  let last = after;
  let end = performance.now() + totalMs;
  for (;;) {
    try {
      for await (const record of records(last)) {
        yield record;
        last = record.pet.id;
        end = performance.now() + totalMs;
      }
      return;
    } catch (error) {
      await pauseAfter(error, end, pauseMs);
    }
  }
}
