import { AnimalStoreError } from './errors.js';
import type { NewPet, Pet } from './pet.js';

/** The greatest length of a text that names one creation, in UTF-16 code units. */
export const ONCE_MAX_LENGTH = 1024;

/** The rule for such a text. It follows the name of the parameter in a sentence. */
export const ONCE_RULE = `must be a string of 1 to ${ONCE_MAX_LENGTH} UTF-16 code units, without U+0000 or lone surrogates`;

/** The least time for which a catalogue remembers which animal a text stands for, in milliseconds: 24 hours. */
export const ONCE_KEPT_MS = 24 * 60 * 60 * 1000;

/** The result of a creation that a text of the caller's names. */
export interface PetCreation {
  /** The animal, stored by this call or by an earlier one. */
  readonly pet: Pet;
  /** Whether an earlier call with the same text had claimed it, so that this one only repeats its result. */
  readonly replayed: boolean;
}

/** Whether a value is 1 to {@link ONCE_MAX_LENGTH} code units of well-formed Unicode without U+0000. */
export function isOnce(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= ONCE_MAX_LENGTH &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

/**
 * The result of a creation whose text already stands for an animal.
 *
 * @param pet The animal that the text stands for.
 * @param newPet The animal that the caller sent now.
 * @throws AnimalStoreError `once_key_reused`, which tells nothing of `pet`, unless both have the same `name`, `categoryId`
 * and `status`.
 */
export function replayCreation(pet: Pet, newPet: NewPet): PetCreation {
  if (pet.name === newPet.name && pet.categoryId === newPet.categoryId && pet.status === newPet.status) {
    return { pet, replayed: true };
  }
  throw new AnimalStoreError('once_key_reused', 'once stands for the creation of another animal');
}
