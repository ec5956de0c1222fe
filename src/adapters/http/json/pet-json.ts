import type { Pet } from '../../../domain/pet.js';

/** The JSON text of an animal, its int64 members digit for digit. Leaves out `status` if the animal has none. */
export function petJson({ id, name, categoryId, status }: Pet): string {
  const start = `{"id":${id},"name":${JSON.stringify(name)},"categoryId":${categoryId}`;
  return status === undefined ? `${start}}` : `${start},"status":"${status}"}`;
}

/** The JSON text of an array of animals, in their order. */
export function petsJson(pets: readonly Pet[]): string {
  return `[${pets.map(petJson).join(',')}]`;
}
