import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { replayCreation } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { ReopenCatalogue } from '../contracts/pet-catalogue-reopen-checks.js';
import { allPetsOf } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

/** A new catalogue with the animals of another one, which `change` may alter. */
async function withPetsOf(
  catalogue: PetCatalogue,
  change: (pet: Pet) => Pet = (pet) => pet,
): Promise<InMemoryPetCatalogue> {
  const copy = new InMemoryPetCatalogue();
  await copy.restore((await allPetsOf(catalogue)).map(change));
  return copy;
}

/** A new catalogue with the animals and the creations of another one. */
export async function copyOf(catalogue: PetCatalogue): Promise<InMemoryPetCatalogue> {
  const copy = await withPetsOf(catalogue);
  const creations = [];
  for await (const creation of catalogue.listCreations?.() ?? []) creations.push(creation);
  await copy.restoreCreations(creations);
  return copy;
}

/** Catalogues that lose something when they are opened again, by their fault. */
export const brokenReopens = byFault<ReopenCatalogue>({
  'a catalogue that is opened again has the same animals': {
    'keeps nothing': () => new InMemoryPetCatalogue(),
    'loses digits': async (catalogue) =>
      withPetsOf(catalogue, ({ id, ...pet }) => makePet(id, { ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
  },
  'a catalogue that is opened again assigns greater ids than before': {
    'counts its ids from 1 again': async (catalogue) => {
      const copy = await copyOf(catalogue);
      let next = 1n;
      return Object.assign(copy, { add: async (newPet: NewPet) => makePet(next++, newPet) });
    },
  },
  'a catalogue that is opened again replays the creations of addOnce': {
    'forgets idempotency keys': async (catalogue) => withPetsOf(catalogue),
  },
  'a catalogue that is opened again refuses the idempotency key of another animal': {
    'replays the creation of another animal': async (catalogue) => {
      const copy = await copyOf(catalogue);
      return Object.assign(copy, {
        addOnce: async () => {
          const [pet] = await allPetsOf(copy);
          return replayCreation(pet as Pet, pet as Pet);
        },
      });
    },
  },
  'a catalogue that is opened again has the restored animals, and assigns greater ids': {
    'keeps only what it has added itself': async (catalogue) => {
      const copy = new InMemoryPetCatalogue();
      for (const { id: _id, ...newPet } of await allPetsOf(catalogue)) await copy.add(newPet);
      return copy;
    },
  },
});
