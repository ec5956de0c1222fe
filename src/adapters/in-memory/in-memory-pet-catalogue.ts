import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { makeNewPet, makePet, type NewPet, type NewPetInput, type Pet } from '../../domain/pet.js';

/**
 * A {@link PetCatalogue} in the memory of one process. Its ids have no gaps.
 *
 * `add` and `find` cost O(1). A list costs O(limit), plus a binary search to find where it starts.
 */
export class InMemoryPetCatalogue implements PetCatalogue {
  /** Ascending by id. Nothing is ever removed, so the animal with id n stands at index n − 1. */
  readonly #pets: Pet[] = [];
  /** The same animals by status, each list ascending by id. */
  readonly #byStatus = new Map<PetStatus, Pet[]>();

  /**
   * @param pets The animals that it holds from the start, with the ids 1, 2, 3 and so on. @default none
   * @throws AnimalStoreError `invalid_pet`, as `createPet` does.
   * @example
   * const catalogue = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7, status: 'sold' }]);
   */
  constructor(pets: Iterable<NewPetInput> = []) {
    for (const pet of pets) this.#add(makeNewPet(pet));
  }

  async add(newPet: NewPet): Promise<Pet> {
    return this.#add(newPet);
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
