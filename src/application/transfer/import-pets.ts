import type { NewPetInput } from '../../domain/pet.js';
import { makeCreatePetOnce } from '../create-pet-once.js';
import type { TransferPorts } from './store-record.js';

/** An animal to import. */
export interface PetToImport {
  readonly input: NewPetInput;
  /** The idempotency key of its creation. Use the same key whenever you import this animal again. */
  readonly idempotencyKey: string;
}

/** Options of {@link importPets}. */
export interface ImportOptions {
  /** The maximum number of concurrent creations: an integer of at least 1. @default 256 */
  readonly concurrency?: number | undefined;
  /** Called after each animal, with the number of animals that are done. */
  readonly onProgress?: ((pets: number) => void) | undefined;
}

/** The result of {@link importPets}. */
export interface ImportResult {
  /** How many animals were stored. */
  readonly created: number;
  /** How many had been stored before, with the same key. */
  readonly replayed: number;
}

/**
 * Creates animals, each once with its idempotency key. So after an attempt that ended at any moment, you may import the same
 * animals again: a stored animal is not stored again.
 *
 * Takes the animals in order, and creates several concurrently. Rejects as `createPetOnce` and the iteration over the animals do,
 * once no creation is pending. Then animals before the faulty one, and a few after it, may be stored.
 *
 * @example
 * await importPets({ catalogue }, [{ input: { name: 'Rex', categoryId: 7n }, idempotencyKey: 'delivery 12, line 1' }]);
 */
export async function importPets(
  { catalogue }: Pick<TransferPorts, 'catalogue'>,
  pets: AsyncIterable<PetToImport> | Iterable<PetToImport>,
  { concurrency = 256, onProgress }: ImportOptions = {},
): Promise<ImportResult> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new TypeError('concurrency must be a positive integer');
  const createPetOnce = makeCreatePetOnce(catalogue);
  const source = oneAtATime(pets);
  const result = { created: 0, replayed: 0 };

  async function create(): Promise<void> {
    // If a creation rejects, this loop ends the source, and therefore the other loops.
    for await (const { input, idempotencyKey } of source) {
      const { replayed } = await createPetOnce(input, idempotencyKey);
      result[replayed ? 'replayed' : 'created']++;
      onProgress?.(result.created + result.replayed);
    }
  }

  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, create));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
  return result;
}

/** A generator, unlike other iterators, queues requests that arrive before it has yielded. */
async function* oneAtATime<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
