import type { CallOptions } from '../domain/call-options.js';
import { AnimalStoreError } from '../domain/errors.js';
import { IDEMPOTENCY_KEY_RULE, isIdempotencyKey, type PetCreation } from '../domain/idempotency-key.js';
import { hasAddOnce, type PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet, type NewPetInput } from '../domain/pet.js';
import { abortable } from './abortable.js';
import { creationAborted } from './create-pet.js';

export function makeCreatePetOnce(
  catalogue: PetCatalogue,
): (input: NewPetInput, idempotencyKey: string, options?: CallOptions) => Promise<PetCreation> {
  return async (input, idempotencyKey, options = {}) => {
    if (!isIdempotencyKey(idempotencyKey)) throw new TypeError(`idempotencyKey ${IDEMPOTENCY_KEY_RULE}`);
    if (!hasAddOnce(catalogue)) {
      throw new AnimalStoreError('idempotency_not_supported', 'this catalogue does not support idempotency keys');
    }
    const newPet = makeNewPet(input);
    return await abortable(options.signal, () => catalogue.addOnce(newPet, idempotencyKey, options), creationAborted);
  };
}
