import type { PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet, type NewPetInput, type Pet } from '../domain/pet.js';

/** The use case `createPet` on a catalogue. */
export function createPetIn(catalogue: PetCatalogue): (input: NewPetInput) => Promise<Pet> {
  return async (input) => await catalogue.add(makeNewPet(input));
}
