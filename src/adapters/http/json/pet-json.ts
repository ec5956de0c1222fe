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

/**
 * Writes animals and lists of animals as JSON, and caches their texts. An animal never changes, so neither does its text. A
 * text is cached as long as its animal exists.
 *
 * A catalogue in memory returns the same objects each time. A catalogue on a database makes new objects for each answer, so
 * caching their texts would be useless. Therefore, if a list begins with an unknown object, only the text of that object is
 * cached. If the same object comes first again, the texts of the whole list are cached.
 */
export class PetJsonCache {
  readonly #texts = new WeakMap<Pet, string>();

  /** The JSON text of an animal. */
  petJson(pet: Pet): string {
    const kept = this.#texts.get(pet);
    if (kept !== undefined) return kept;
    const text = petJson(pet);
    // V8 joins the pieces of a text when one of its characters is read. Otherwise, each list would join them again.
    text.charCodeAt(0);
    this.#texts.set(pet, text);
    return text;
  }

  /** The JSON text of an array of animals, in their order. */
  petsJson(pets: readonly Pet[]): string {
    const [first] = pets;
    const isKnown = first !== undefined && this.#texts.has(first);
    let text = '[';
    pets.forEach((pet, i) => {
      if (i > 0) text += ',';
      text += i === 0 || isKnown ? this.petJson(pet) : petJson(pet);
    });
    return `${text}]`;
  }
}
