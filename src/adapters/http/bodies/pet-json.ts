import type { Pet } from '../../../domain/pet.js';
import { membersJson } from '../../../lossless-json/members-json.js';

/** The JSON text of an animal, its int64 members digit for digit. Leaves out `status` if the animal has none. */
export function petJson(pet: Pet): string {
  return `{"id":${pet.id},${membersJson(pet)}}`;
}

/** An animal never changes, so neither does its text, which is kept as long as the animal exists. */
const texts = new WeakMap<Pet, string>();

export function keptPetJson(pet: Pet): string {
  const kept = texts.get(pet);
  if (kept !== undefined) return kept;
  const text = petJson(pet);
  // V8 joins the pieces of a text when a character is read. Otherwise, each list would join them again.
  text.charCodeAt(0);
  texts.set(pet, text);
  return text;
}

/**
 * The JSON text of an array of animals, in their order.
 *
 * A catalogue in memory returns the same objects each time; one on a database makes new ones, whose texts are not worth keeping.
 * So of a list whose first object is new, only that object's text is kept. If it comes first again, all are kept.
 */
export function petsJson(pets: readonly Pet[]): string {
  const [first] = pets;
  const isKnown = first !== undefined && texts.has(first);
  let text = '[';
  pets.forEach((pet, i) => {
    if (i > 0) text += ',';
    text += i === 0 || isKnown ? keptPetJson(pet) : petJson(pet);
  });
  return `${text}]`;
}
