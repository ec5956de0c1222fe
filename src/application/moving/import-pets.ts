import { BATCH_MAX, type NewPetOnce, type PetCatalogue } from '../../domain/pet-catalogue.js';
import type { PetCreation } from '../../domain/idempotency-key.js';
import type { NewPetInput } from '../../domain/pet.js';
import { makeNewPetOnce, refuseWithoutAddOnce } from '../create-pet-once.js';
import type { MovingPorts } from './store-record.js';

/** An animal to import. */
export interface PetToImport {
  readonly input: NewPetInput;
  /** The idempotency key of its creation. Use the same key whenever you import this animal again. */
  readonly idempotencyKey: string;
}

/** Options of {@link importPets}. */
export interface ImportOptions {
  /**
   * The maximum number of concurrent creations on a catalogue without `addManyOnce`: an integer of at least 1.
   * @default 64
   */
  readonly concurrency?: number | undefined;
  /** Called after each animal or batch of animals, with the number of animals that are done. */
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
 * animals again: for at least 24 hours, a stored animal is not stored again.
 *
 * Processes the animals in order: in batches if the catalogue has `addManyOnce`, otherwise several concurrently. Rejects as
 * `createPetOnce` and the iteration over the animals do, once no creation is pending. Then animals before the faulty one, and a
 * few after it, may be stored.
 *
 * @example
 * await importPets({ catalogue }, [{ input: { name: 'Rex', categoryId: 7n }, idempotencyKey: 'delivery 12, line 1' }]);
 */
export async function importPets(
  { catalogue }: Pick<MovingPorts, 'catalogue'>,
  pets: AsyncIterable<PetToImport> | Iterable<PetToImport>,
  { concurrency = 64, onProgress }: ImportOptions = {},
): Promise<ImportResult> {
  if (!Number.isSafeInteger(concurrency) || concurrency < 1)
    throw new TypeError('concurrency must be a positive integer');
  refuseWithoutAddOnce(catalogue);
  const result = { created: 0, replayed: 0 };
  const count = (creations: readonly PetCreation[]): void => {
    for (const { replayed } of creations) result[replayed ? 'replayed' : 'created']++;
    onProgress?.(result.created + result.replayed);
  };
  if (catalogue.addManyOnce === undefined) await createEach(catalogue, pets, concurrency, count);
  else await createInBatches(catalogue as PetCatalogue & Required<Pick<PetCatalogue, 'addManyOnce'>>, pets, count);
  return result;
}

/** Creates the animals of a batch together. A batch ends before a key that it has already. */
async function createInBatches(
  catalogue: Required<Pick<PetCatalogue, 'addManyOnce'>>,
  pets: AsyncIterable<PetToImport> | Iterable<PetToImport>,
  count: (creations: readonly PetCreation[]) => void,
): Promise<void> {
  let batch = new Map<string, NewPetOnce>();
  const store = async (): Promise<void> => {
    if (batch.size > 0) count(await catalogue.addManyOnce(Array.from(batch.values())));
    batch = new Map();
  };
  for await (const { input, idempotencyKey } of pets) {
    const creation = makeNewPetOnce(input, idempotencyKey);
    if (batch.size === BATCH_MAX || batch.has(idempotencyKey)) await store();
    batch.set(idempotencyKey, creation);
  }
  await store();
}

/** Creates each animal by a call of its own, several concurrently. */
async function createEach(
  catalogue: Required<Pick<PetCatalogue, 'addOnce'>>,
  pets: AsyncIterable<PetToImport> | Iterable<PetToImport>,
  concurrency: number,
  count: (creations: readonly PetCreation[]) => void,
): Promise<void> {
  const source = oneAtATime(pets);

  async function create(): Promise<void> {
    // If a creation rejects, this loop ends the source, and therefore the other loops.
    for await (const { input, idempotencyKey } of source) {
      const creation = makeNewPetOnce(input, idempotencyKey);
      count([await catalogue.addOnce(creation.newPet, creation.idempotencyKey)]);
    }
  }

  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, create));
  const failure = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}

/** Yields the same values. Unlike other iterators, a generator queues requests that arrive before it has yielded. */
async function* oneAtATime<T>(values: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T, void, undefined> {
  yield* values;
}
