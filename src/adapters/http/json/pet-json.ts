import type { Pet } from '../../../domain/pet.js';
import { membersJson } from '../../../json/members-json.js';

/** The JSON text of an animal, its int64 members digit for digit. Leaves out `status` if the animal has none. */
export function petJson(pet: Pet): string {
  return `{"id":${pet.id},${membersJson(pet)}}`;
}

/** The JSON text of an array of animals, in their order. */
export function petsJson(pets: readonly Pet[]): string {
  return `[${pets.map(petJson).join(',')}]`;
}
