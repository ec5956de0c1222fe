import type { Int64Like } from '../domain/int64.js';
import type { PetCreation } from '../domain/once.js';
import type { PetCatalogue, PetPage } from '../domain/pet-catalogue.js';
import type { NewPetInput, Pet } from '../domain/pet.js';
import { createPetIn, createPetOnceIn, type CreatePetOptions } from './create-pet.js';
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
  /**
   * Adds an animal; the catalogue assigns its id. Rejects with `invalid_pet`. With the option `once`, rejects as
   * {@link createPetOnce} does, and with a `TypeError` if the catalogue has no `addOnce`.
   */
  createPet(input: NewPetInput, options?: CreatePetOptions): Promise<Pet>;
  /**
   * Adds an animal once, however often it is called with the same `once` (see {@link CreatePetOptions.once}), and tells
   * whether the animal was there already. Rejects with `invalid_pet`; with `once_key_reused` if `once` stands for another
   * animal; with a `TypeError` if it is not such a text. `createPet` with `once` does the same, and resolves to the animal
   * alone.
   *
   * Left out if the catalogue has no `addOnce`.
   */
  createPetOnce?(input: NewPetInput, once: string): Promise<PetCreation>;
  /**
   * Retrieves one animal. Rejects with `pet_not_found`, also for a `bigint` beyond int64; with a `TypeError` for an id
   * that is neither a `bigint` nor a safe integer.
   */
  getPet(id: Int64Like): Promise<Pet>;
}

/**
 * Makes an animal store on a catalogue: a plain object, whose methods may be taken out of it, wrapped and replaced. Each call asks
 * the catalogue as it is then; only whether the store has `createPetOnce` is settled here.
 *
 * @example
 * const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
 * const rex = await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
 */
export function createAnimalStore({ catalogue }: { readonly catalogue: PetCatalogue }): AnimalStore {
  const createPetOnce = createPetOnceIn(catalogue);
  return {
    listPets: listPetsOf(catalogue),
    createPet: createPetIn(catalogue, createPetOnce),
    ...(createPetOnce !== undefined && { createPetOnce }),
    getPet: getPetFrom(catalogue),
  };
}
