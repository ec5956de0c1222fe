import { throwIfAborted, type CallOptions } from '../domain/call-options.js';
import { AnimalStoreError } from '../domain/errors.js';
import { toInt64, type Int64Like } from '../domain/int64.js';
import type { PetCatalogue } from '../domain/pet-catalogue.js';
import type { Pet } from '../domain/pet.js';

export function makeGetPet(catalogue: PetCatalogue): (id: Int64Like, options?: CallOptions) => Promise<Pet> {
  return async (id, options = {}) => {
    if (typeof id !== 'bigint' && !Number.isSafeInteger(id))
      throw new TypeError('id must be a bigint or a safe integer');
    const int64 = toInt64(id);
    throwIfAborted(options.signal);
    const pet = int64 === undefined ? undefined : await catalogue.find(int64, options);
    if (pet === undefined) throw petNotFound();
    return pet;
  };
}

export function petNotFound(message = 'no animal has this id'): AnimalStoreError {
  return new AnimalStoreError('pet_not_found', message);
}
