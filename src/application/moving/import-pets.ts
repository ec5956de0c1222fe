import type { NewPetInput } from '../../domain/pet.js';
import type { AnimalStore } from '../animal-store.js';

/** An animal to import. */
export interface PetToImport {
  readonly input: NewPetInput;
  /** The key under which it is created: the same one whenever this animal is imported again. */
  readonly idempotencyKey: string;
}

/** Options of {@link importPets}. */
export interface ImportOptions {
  /** How many animals are created at a time: an integer of at least 1. @default 64 */
  readonly concurrency?: number | undefined;
  /** Called after each animal, with the number of those that are done. */
  readonly onProgress?: ((pets: number) => void) | undefined;
}

/** What {@link importPets} has done. */
export interface ImportResult {
  /** How many animals were stored. */
  readonly created: number;
  /** How many had been stored before, under the same key. */
  readonly replayed: number;
}

/**
 * Creates animals, each once under its idempotency key. So the same animals may be imported again, after an attempt that ended at
 * any moment: for at least 24 hours, what was stored is not stored again.
 *
 * Takes the animals in their order, a few at a time. Rejects as `createPetOnce` and the animals do, once no creation is under
 * way any more. Animals that come before the faulty one, and a few after it, may be stored then.
 *
 * @example
 * await importPets(store, [{ input: { name: 'Rex', categoryId: 7n }, idempotencyKey: 'delivery 12, line 1' }]);
 */
export async function importPets(
  store: Pick<AnimalStore, 'createPetOnce'>,
  pets: AsyncIterable<PetToImport> | Iterable<PetToImport>,
  { concurrency = 64, onProgress }: ImportOptions = {},
): Promise<ImportResult> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new TypeError('concurrency must be a positive integer');
  const result = { created: 0, replayed: 0 };
  const source = oneAtATime(pets);

  async function create(): Promise<void> {
    // If a creation rejects, this loop ends the source, and so the other loops.
    for await (const { input, idempotencyKey } of source) {
      const { replayed } = await store.createPetOnce(input, idempotencyKey);
      result[replayed ? 'replayed' : 'created']++;
      onProgress?.(result.created + result.replayed);
    }
  }

  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, create));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return result;
}

/** The same values. Unlike other iterators, a generator may be asked for the next value before it has given the last one. */
async function* oneAtATime<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
