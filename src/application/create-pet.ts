import { isOnce, ONCE_RULE, type PetCreation } from '../domain/once.js';
import { hasAddOnce, type PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet, type NewPetInput, type Pet } from '../domain/pet.js';

/** How to create an animal. */
export interface CreatePetOptions {
  /**
   * A text of the caller's choice that names this creation: 1 to 1,024 UTF-16 code units, without U+0000 or lone surrogates.
   * For at least 24 hours, the same call with the same text and animal stores nothing, and resolves to the animal that the
   * first call stored. After `store_unavailable`, call it again with the same text.
   * @default none: each call adds an animal
   */
  readonly once?: string | undefined;
}

/** The use case `createPetOnce`. */
type CreatePetOnce = (input: NewPetInput, once: string) => Promise<PetCreation>;

/** The use case `createPet` on a catalogue. With `once`, it runs `createPetOnce`. */
export function createPetIn(
  catalogue: PetCatalogue,
  createPetOnce: CreatePetOnce | undefined,
): (input: NewPetInput, options?: CreatePetOptions) => Promise<Pet> {
  return async (input, options) => {
    const once = options?.once;
    if (once === undefined) return await catalogue.add(makeNewPet(input));
    if (createPetOnce === undefined) throw new TypeError('once needs a catalogue that has addOnce');
    const { pet } = await createPetOnce(input, once);
    return pet;
  };
}

/**
 * The use case `createPetOnce` on a catalogue; `undefined` if the catalogue has no `addOnce`. Looks the method up at each call,
 * because a test may replace it meanwhile.
 */
export function createPetOnceIn(catalogue: PetCatalogue): CreatePetOnce | undefined {
  if (!hasAddOnce(catalogue)) return undefined;
  return async (input, once) => {
    if (!isOnce(once)) throw new TypeError(`once ${ONCE_RULE}`);
    return await catalogue.addOnce(makeNewPet(input), once);
  };
}
