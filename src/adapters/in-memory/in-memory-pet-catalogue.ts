import { IDEMPOTENCY_KEY_RETENTION_MS, replayCreation, type PetCreation } from '../../domain/idempotency-key.js';
import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';

/** Options of {@link InMemoryPetCatalogue}. */
export interface InMemoryPetCatalogueOptions {
  /**
   * The time in milliseconds since any moment. It must not go back. Only `addOnce` reads it.
   * @default `performance.now()`
   */
  readonly now?: () => number;
}

/** The least time between two searches for creations to forget, in milliseconds. */
const FORGET_EVERY_MS = 60_000;

/**
 * A {@link PetCatalogue} in the memory of one process. Its ids have no gaps.
 *
 * `add`, `addOnce` and `find` take O(1) time. A list takes O(limit), plus a binary search for its start. Idempotency
 * keys are kept for 24 hours, and then until an `addOnce` at least a minute after the last search.
 */
export class InMemoryPetCatalogue implements PetCatalogue {
  /** Ascending by id. Nothing is ever removed, so the animal with id n stands at index n − 1. */
  readonly #pets: Pet[] = [];
  /** The same animals by status, each list ascending by id. */
  readonly #byStatus = new Map<PetStatus, Pet[]>();
  /** By their idempotency keys, the oldest first. */
  readonly #creations = new Map<string, { readonly pet: Pet; readonly at: number }>();
  readonly #now: () => number;
  #forgotAt = -Infinity;

  /**
   * @param pets The animals that it holds from the start, with the ids 1, 2, 3 and so on. @default none
   * @param options A clock, for tests.
   * @throws AnimalStoreError `invalid_pet`, as `createPet` does.
   * @example
   * const catalogue = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7, status: 'sold' }]);
   */
  constructor(
    pets: Iterable<NewPetInput> = [],
    { now = (): number => performance.now() }: InMemoryPetCatalogueOptions = {},
  ) {
    this.#now = now;
    for (const pet of pets) this.#add(makeNewPet(pet));
  }

  async add(newPet: NewPet): Promise<Pet> {
    return this.#add(newPet);
  }

  async addOnce(newPet: NewPet, idempotencyKey: string): Promise<PetCreation> {
    const now = this.#now();
    this.#forgetOldCreations(now);
    const creation = this.#creations.get(idempotencyKey);
    if (creation !== undefined) return replayCreation(creation.pet, newPet);
    const pet = this.#add(newPet);
    this.#creations.set(idempotencyKey, { pet, at: now });
    return { pet, replayed: false };
  }

  async list({ limit, status, after = 0n }: PetQuery): Promise<PetPage> {
    const candidates = status === undefined ? this.#pets : (this.#byStatus.get(status) ?? []);
    const start = firstBeyond(candidates, after);
    const pets = candidates.slice(start, start + limit);
    const last = pets.at(-1);
    return last !== undefined && start + limit < candidates.length ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint): Promise<Pet | undefined> {
    return this.#pets[Number(id) - 1];
  }

  /**
   * Forgets the creations that have been kept for long enough. Does not search on every call: a `Map` steps over the entries
   * deleted at its head on each iteration, until it next grows.
   */
  #forgetOldCreations(now: number): void {
    if (now - this.#forgotAt < FORGET_EVERY_MS) return;
    this.#forgotAt = now;
    for (const [key, { at }] of this.#creations) {
      if (now - at < IDEMPOTENCY_KEY_RETENTION_MS) return;
      this.#creations.delete(key);
    }
  }

  #add(newPet: NewPet): Pet {
    const pet = makePet(BigInt(this.#pets.length + 1), newPet);
    this.#pets.push(pet);
    if (pet.status !== undefined) {
      const peers = this.#byStatus.get(pet.status);
      if (peers === undefined) this.#byStatus.set(pet.status, [pet]);
      else peers.push(pet);
    }
    return pet;
  }
}

/** The index of the first animal whose id is greater than `after`, in animals that ascend by id. */
function firstBeyond(pets: readonly Pet[], after: bigint): number {
  let low = 0;
  let high = after < 1n ? 0 : pets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pets[middle] as Pet).id > after) high = middle;
    else low = middle + 1;
  }
  return low;
}
