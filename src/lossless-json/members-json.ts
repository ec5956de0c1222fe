import type { NewPet } from '../domain/pet.js';

/** The JSON text of an animal's members except its id, in order and without braces. Leaves out a status that it does not have. */
export function membersJson({ name, categoryId, status }: NewPet): string {
  // No status has a character that JSON escapes.
  return `"name":${JSON.stringify(name)},"categoryId":${categoryId}${status === undefined ? '' : `,"status":"${status}"`}`;
}
