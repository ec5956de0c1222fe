import type { CallOptions } from '../domain/call-options.js';
import { AnimalStoreError } from '../domain/errors.js';
import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey, type PetCreation } from '../domain/idempotency-key.js';
import { hasAddOnce, type NewPetOnce, type PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet, type NewPetInput } from '../domain/pet.js';
import { creationAborted } from './create-pet.js';
import { abortable } from './abortable.js';

/** The use case `createPetOnce` on a catalogue. */
export function makeCreatePetOnce(
  catalogue: PetCatalogue,
): (input: NewPetInput, idempotencyKey: string, options?: CallOptions) => Promise<PetCreation> {
  return async (input, idempotencyKey, options = {}) => {
    checkIdempotencyKey(idempotencyKey);
    refuseWithoutAddOnce(catalogue);
    const newPet = makeNewPet(input);
    return await abortable(options.signal, () => catalogue.addOnce(newPet, idempotencyKey, options), creationAborted);
  };
}

/**
 * Checks the arguments of `createPetOnce`.
 *
 * @throws TypeError if the key breaks its rule.
 * @throws AnimalStoreError `invalid_pet`.
 */
export function makeNewPetOnce(input: NewPetInput, idempotencyKey: string): NewPetOnce {
  checkIdempotencyKey(idempotencyKey);
  return { newPet: makeNewPet(input), idempotencyKey };
}

/** @throws AnimalStoreError `idempotency_not_supported` if a catalogue has no `addOnce`. */
export function refuseWithoutAddOnce(
  catalogue: PetCatalogue,
): asserts catalogue is PetCatalogue & Required<Pick<PetCatalogue, 'addOnce'>> {
  if (hasAddOnce(catalogue)) return;
  throw new AnimalStoreError('idempotency_not_supported', 'this catalogue does not support idempotency keys');
}

function checkIdempotencyKey(idempotencyKey: string): void {
  if (!isIdempotencyKey(idempotencyKey)) throw new TypeError(`idempotencyKey ${IDEMPOTENCY_KEY_RULE}`);
}
