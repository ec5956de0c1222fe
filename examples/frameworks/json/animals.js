import { AnimalStoreError, parseInt64 } from 'animal-store';

/** @import { AnimalStore, AnimalStoreErrorCode } from 'animal-store' */

/** @type {Partial<Record<AnimalStoreErrorCode, 400 | 404 | 503>>} */
const STATUS = { invalid_pet: 400, invalid_query: 400, pet_not_found: 404, store_unavailable: 503 };

/**
 * The HTTP status for an error of the animal store.
 *
 * @param {AnimalStoreError} error
 */
export function statusOf({ code }) {
  return STATUS[code] ?? 500;
}

/**
 * The animal whose id is a segment of a path.
 *
 * @param {AnimalStore} store
 * @param {string} segment
 */
export async function animalAt(store, segment) {
  const id = parseInt64(segment);
  if (id === undefined) throw new AnimalStoreError('pet_not_found', 'no animal has this id');
  return await store.getPet(id);
}
