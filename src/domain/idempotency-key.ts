import { AnimalStoreError } from './errors.js';
import { isSamePet, type NewPet, type Pet } from './pet.js';

/** The maximum length of an idempotency key, in UTF-16 code units. */
export const IDEMPOTENCY_KEY_MAX_LENGTH = 1024;

/** It follows the name of the parameter in a sentence. */
export const IDEMPOTENCY_KEY_RULE = `must be a string of 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} UTF-16 code units, without U+0000 or lone surrogates`;

/** The result of a creation with an idempotency key. */
export interface PetCreation {
  /** The animal, stored by this call or by an earlier one with the same key. */
  readonly pet: Pet;
  /** Whether this call repeats the result of an earlier call with the same key. */
  readonly replayed: boolean;
}

/** Whether a value is 1 to {@link IDEMPOTENCY_KEY_MAX_LENGTH} code units of well-formed Unicode without U+0000. */
export function isIdempotencyKey(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.length >= 1 &&
    value.length <= IDEMPOTENCY_KEY_MAX_LENGTH &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

/**
 * The result of a creation whose key already belongs to an animal.
 *
 * @param pet The animal that the key belongs to.
 * @param newPet The animal that the caller sent now.
 * @throws AnimalStoreError `idempotency_key_reused` if they differ. The error reveals nothing about `pet`.
 */
export function replayCreation(pet: Pet, newPet: NewPet): PetCreation {
  if (isSamePet(pet, newPet)) return { pet, replayed: true };
  throw idempotencyKeyReused();
}

/** Reveals nothing about the animal that the key belongs to. */
export function idempotencyKeyReused(): AnimalStoreError {
  return new AnimalStoreError(
    'idempotency_key_reused',
    'the idempotency key belongs to the creation of another animal',
  );
}
