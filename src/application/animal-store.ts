import type { CallOptions } from '../domain/call-options.js';
import type { Int64Like } from '../domain/int64.js';
import type { PetCreation } from '../domain/idempotency-key.js';
import type { PetCatalogue, PetPage } from '../domain/pet-catalogue.js';
import type { NewPetInput, Pet } from '../domain/pet.js';
import { makeCreatePetOnce } from './create-pet-once.js';
import { makeCreatePet } from './create-pet.js';
import { makeGetPet } from './get-pet.js';
import { makeListPets, type ListPetsInput } from './list-pets.js';

/**
 * The driving port: everything that an animal store does.
 *
 * Each method rejects with an `AnimalStoreError`: with `store_unavailable` if the catalogue's database does not answer in
 * time, and with the codes below. A creation that rejects with `store_unavailable` may or may not have been stored; with
 * any other code but `creation_aborted`, nothing was. Other errors of the catalogue pass through unchanged.
 *
 * Each call takes a `signal` in its last argument, as `fetch` does. A call whose signal is aborted before it begins rejects with
 * the signal's `reason`, and does nothing. If the signal is aborted while `listPets` or `getPet` runs, a catalogue that can do so
 * stops its query, and the call rejects with the `reason`; otherwise it ends as if there were no signal. If the signal is aborted
 * while a creation runs, the creation rejects immediately with `creation_aborted`, and the `reason` as the `cause`: the animal may
 * or may not be stored. To find out, call `createPetOnce` again with the same key.
 */
export interface AnimalStore {
  /** Lists animals by ascending id. Rejects with `invalid_query`. */
  listPets(input?: ListPetsInput, options?: CallOptions): Promise<PetPage>;
  /** Adds an animal on every call; the catalogue assigns its id. Rejects with `invalid_pet`. */
  createPet(input: NewPetInput, options?: CallOptions): Promise<Pet>;
  /**
   * Adds an animal once, however often it is called with the same idempotency key: 1 to 1,024 UTF-16 code units of the
   * caller's choice, without U+0000 or lone surrogates. A later call with the same key and animal stores
   * nothing, and resolves to the animal of the first call with `replayed: true`. After `store_unavailable`, call it again with
   * the same key.
   *
   * Rejects with `invalid_pet`; with `idempotency_key_reused` if the key belongs to another animal; with
   * `idempotency_not_supported` if the catalogue has no `addOnce`; with a `TypeError` if the key breaks its rule.
   */
  createPetOnce(input: NewPetInput, idempotencyKey: string, options?: CallOptions): Promise<PetCreation>;
  /**
   * Retrieves one animal. Rejects with `pet_not_found`, also for a `bigint` outside int64; with a `TypeError` for an id that is
   * neither a `bigint` nor a safe integer.
   */
  getPet(id: Int64Like, options?: CallOptions): Promise<Pet>;
}

/**
 * Creates an animal store on a catalogue: a plain object, whose methods you may destructure, wrap and replace. Each call uses
 * the method that the catalogue has at that time, so replacing a method takes effect.
 *
 * @example
 * const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
 * const rex = await store.createPet({ name: 'Rex', categoryId: 7n, status: 'available' });
 */
export function createAnimalStore({ catalogue }: { readonly catalogue: PetCatalogue }): AnimalStore {
  return {
    listPets: makeListPets(catalogue),
    createPet: makeCreatePet(catalogue),
    createPetOnce: makeCreatePetOnce(catalogue),
    getPet: makeGetPet(catalogue),
  };
}
