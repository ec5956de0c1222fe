import { PET_MEMBER_NAMES, type NewPet } from '../domain/pet.js';

/**
 * The JSON text of an animal's members besides its id, without braces, each int64 digit for digit. Leaves out members that the
 * animal lacks.
 */
export function membersJson(newPet: NewPet): string {
  let text = '';
  for (const member of PET_MEMBER_NAMES) {
    const value = newPet[member];
    if (value === undefined) continue;
    if (text !== '') text += ',';
    text += `"${member}":${typeof value === 'bigint' ? value : JSON.stringify(value)}`;
  }
  return text;
}
