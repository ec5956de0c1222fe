import type { Pet } from '../../domain/pet.js';

/** The animals that came first in a list. */
const leaders = new WeakSet<Pet>();

/** The texts of animals that were listed more than once. */
const texts = new WeakMap<Pet, string>();

/**
 * The text of each listed animal. An animal never changes, so its text is kept once it is listed again: a catalogue in
 * memory lists the same objects each time. A catalogue on a database makes new objects for each list; it pays for one
 * look-up a list and nothing is kept, because only a list that starts with the same object as an earlier one counts as
 * listed again.
 */
export function textsOfListed(pets: readonly Pet[], textOf: (pet: Pet) => string): readonly string[] {
  const [first] = pets;
  if (first === undefined) return [];
  if (!leaders.has(first)) {
    leaders.add(first);
    return pets.map(textOf);
  }
  return pets.map((pet) => {
    const kept = texts.get(pet);
    if (kept !== undefined) return kept;
    const text = textOf(pet);
    texts.set(pet, text);
    return text;
  });
}
