import type { Int64Like } from '../domain/int64.js';
import type { PetCatalogue, PetPage } from '../domain/pet-catalogue.js';
import type { NewPetInput, Pet } from '../domain/pet.js';
import { createPetIn } from './create-pet.js';
import { getPetFrom } from './get-pet.js';
import { listPetsOf, type ListPetsInput } from './list-pets.js';

/**
 * The driving port: everything that an animal store does.
 *
 * Each method rejects with an `AnimalStoreError`: with `store_unavailable` if the catalogue's database does not answer in
 * time, and with the codes below. A creation that rejects with `store_unavailable` may or may not have been stored; with
 * any other code, nothing was. Other errors of the catalogue pass through unchanged.
 */
export interface AnimalStore {
  /** Lists animals by ascending id. Rejects with `invalid_query`. */
  listPets(input?: ListPetsInput): Promise<PetPage>;
  /** Adds an animal; the catalogue assigns its id. Rejects with `invalid_pet`. */
  createPet(input: NewPetInput): Promise<Pet>;
  /**
   * Retrieves one animal. Rejects with `pet_not_found`, also for a `bigint` beyond int64; with a `TypeError` for an id
   * that is neither a `bigint` nor a safe integer.
   */
  getPet(id: Int64Like): Promise<Pet>;
}

/**
 * Makes an animal store on a catalogue.
 *
 * @example
 * const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
 * const rex = await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
 */
export function createAnimalStore({ catalogue }: { readonly catalogue: PetCatalogue }): AnimalStore {
  return Object.freeze({
    listPets: listPetsOf(catalogue),
    createPet: createPetIn(catalogue),
    getPet: getPetFrom(catalogue),
  });
}
