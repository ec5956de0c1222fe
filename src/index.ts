/**
 * The core of Animal Store: the domain and its use cases, with no package behind it.
 *
 * @module
 */
export { createAnimalStore, type AnimalStore } from './application/animal-store.js';
export type { ListPetsInput } from './application/list-pets.js';
export type { ApiKeys, Principal } from './domain/api-keys.js';
export { AnimalStoreError, isAnimalStoreError, type AnimalStoreErrorCode } from './domain/errors.js';
export type { Int64Like } from './domain/int64.js';
export type { PetCatalogue, PetPage, PetQuery } from './domain/pet-catalogue.js';
export { PET_STATUSES, type PetStatus } from './domain/pet-status.js';
export type { NewPet, NewPetInput, Pet } from './domain/pet.js';
