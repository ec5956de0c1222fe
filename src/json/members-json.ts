import type { NewPet } from '../domain/pet.js';

/** Writes each member except the id, in order. Every text begins with a comma, except that of the first, which is never missing. */
const MEMBER_JSON: { readonly [Name in keyof NewPet]-?: (newPet: NewPet) => string } = {
  name: ({ name }) => `"name":${JSON.stringify(name)}`,
  categoryId: ({ categoryId }) => `,"categoryId":${categoryId}`,
  // No status has a character that JSON escapes.
  status: ({ status }) => (status === undefined ? '' : `,"status":"${status}"`),
};

/** A function for each member. A single function that looks members up by their names takes 1.5 times as long. */
const WRITERS = Object.values(MEMBER_JSON);

/**
 * The JSON text of an animal's members except its id, without braces, each int64 digit for digit. Leaves out members that the
 * animal does not have.
 */
export function membersJson(newPet: NewPet): string {
  let text = '';
  for (const write of WRITERS) text += write(newPet);
  return text;
}
