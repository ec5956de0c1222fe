import type { CallOptions } from '../domain/call-options.js';
import { AnimalStoreError } from '../domain/errors.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet, type NewPetInput, type Pet } from '../domain/pet.js';
import { abortable } from './abortable.js';

export function makeCreatePet(catalogue: PetCatalogue): (input: NewPetInput, options?: CallOptions) => Promise<Pet> {
  return async (input, options = {}) => {
    const newPet = makeNewPet(input);
    return await abortable(options.signal, () => catalogue.add(newPet, options), creationAborted);
  };
}

export function creationAborted(cause: unknown): AnimalStoreError {
  return new AnimalStoreError('creation_aborted', 'the creation was aborted; the animal may or may not be stored', {
    cause,
  });
}
