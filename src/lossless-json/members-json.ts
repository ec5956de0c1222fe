import type { NewPet } from '../domain/pet.js';

/** In order, without the id and braces. */
export function membersJson({ name, categoryId, status }: NewPet): string {
  // No status has a character that JSON escapes.
  return `"name":${JSON.stringify(name)},"categoryId":${categoryId}${status === undefined ? '' : `,"status":"${status}"`}`;
}
