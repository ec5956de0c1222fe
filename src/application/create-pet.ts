import type { PetCatalogue } from '../domain/pet-catalogue.js';
import { makeNewPet } from '../domain/pet.js';
import type { AnimalStore } from './animal-store.js';

/** The use case `createPet` on a catalogue. */
export function createPetIn(catalogue: PetCatalogue): AnimalStore['createPet'] {
  return async (input) => catalogue.add(makeNewPet(input));
}
