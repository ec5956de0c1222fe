import { AnimalStoreError } from '../domain/errors.js';
import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey, type PetCreation } from '../domain/idempotency-key.js';
import { hasAddOnce, type PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet, type NewPetInput } from '../domain/pet.js';

/** The use case `createPetOnce` on a catalogue. */
export function createPetOnceIn(
  catalogue: PetCatalogue,
): (input: NewPetInput, idempotencyKey: string) => Promise<PetCreation> {
  return async (input, idempotencyKey) => {
    if (!isIdempotencyKey(idempotencyKey)) throw new TypeError(`idempotencyKey ${IDEMPOTENCY_KEY_RULE}`);
    if (!hasAddOnce(catalogue)) {
      throw new AnimalStoreError('idempotency_not_supported', 'this catalogue does not support idempotency keys');
    }
    return await catalogue.addOnce(makeNewPet(input), idempotencyKey);
  };
}
