import type { PetCatalogue, PetPage, PetQuery } from '../../domain/pet-catalogue.js';
import type { PetStatus } from '../../domain/pet-status.js';
import { makePet, type NewPet, type Pet } from '../../domain/pet.js';

/**
 * A {@link PetCatalogue} in memory: starts empty, numbers without gaps, and forgets everything with the process.
 *
 * `add` and `find` cost O(1). A list costs O(limit) and, to find where it starts, the binary search of `after`.
 */
export class InMemoryPetCatalogue implements PetCatalogue {
  /** Ascending by id; as nothing is ever removed, the animal with id n stands at n − 1. */
  readonly #pets: Pet[] = [];
  /** The same animals by status, each list ascending by id. */
  readonly #byStatus = new Map<PetStatus, Pet[]>();

  async add(newPet: NewPet): Promise<Pet> {
    const pet = makePet(BigInt(this.#pets.length + 1), newPet);
    this.#pets.push(pet);
    if (pet.status !== undefined) {
      const peers = this.#byStatus.get(pet.status);
      if (peers === undefined) this.#byStatus.set(pet.status, [pet]);
      else peers.push(pet);
    }
    return pet;
  }

  async list({ limit, status, after = 0n }: PetQuery): Promise<PetPage> {
    const candidates = status === undefined ? this.#pets : (this.#byStatus.get(status) ?? []);
    const start = firstBeyond(candidates, after);
    const pets = candidates.slice(start, start + limit);
    const last = pets.at(-1);
    return last !== undefined && start + limit < candidates.length ? { pets, next: last.id } : { pets };
  }

  async find(id: bigint): Promise<Pet | undefined> {
    return id >= 1n && id <= this.#pets.length ? this.#pets[Number(id) - 1] : undefined;
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
