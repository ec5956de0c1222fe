import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { replayCreation } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { ReopenCatalogue } from '../contracts/pet-catalogue-reopen-checks.js';
import { except } from '../support/except.js';
import type { Broken } from './breaking.js';
import { allPetsOf } from './broken-catalogue.js';

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
export async function copyOf(catalogue: PetCatalogue): Promise<PetCatalogue> {
  const copy = await withPetsOf(catalogue);
  const creations = [];
  for await (const creation of catalogue.listCreations?.() ?? []) creations.push(creation);
  await copy.restoreCreations(creations);
  return copy;
}

/** Catalogues that lose something when they are opened again. */
export const brokenReopens: Broken<ReopenCatalogue> = {
  'a catalogue that is opened again has the same animals': {
    'keeps nothing': () => new InMemoryPetCatalogue(),
    'loses digits': async (catalogue) =>
      withPetsOf(catalogue, ({ id, ...pet }) => makePet(id, { ...pet, categoryId: BigInt(Number(pet.categoryId)) })),
  },
  'a catalogue that is opened again assigns greater ids than before': {
    'counts its ids from 1 again': async (catalogue) => {
      let last = 0n;
      return except(await copyOf(catalogue), { add: async (newPet) => makePet(++last, newPet) });
    },
  },
  'a catalogue that is opened again replays the creations of addOnce': {
    'forgets idempotency keys': async (catalogue) => withPetsOf(catalogue),
  },
  'a catalogue that is opened again refuses the idempotency key of another animal': {
    'replays the creation of another animal': async (catalogue) => {
      const copy = await copyOf(catalogue);
      const [pet] = await allPetsOf(copy);
      return except(copy, { addOnce: async () => replayCreation(pet as Pet, pet as Pet) });
    },
  },
  'a catalogue that is opened again has the restored animals, and assigns greater ids': {
    'keeps only what it has added itself': async (catalogue) => {
      const copy = new InMemoryPetCatalogue();
      for (const { id: _id, ...newPet } of await allPetsOf(catalogue)) await copy.add(newPet);
      return copy;
    },
  },
};

/** Makes a catalogue on a store. */
type MakeOn = (store: InMemoryPetCatalogue) => PetCatalogue;

/** A catalogue that goes on to use reserved ids in one of its methods, after another one has restored animals. */
function reservingFor(method: 'add' | 'addOnce' | 'addManyOnce'): MakeOn {
  return (store) => {
    let last = 99n;
    const add = async (newPet: NewPet): Promise<Pet> => {
      const pet = makePet(++last, newPet);
      await store.restore([pet]);
      return pet;
    };
    const addOnce = async (newPet: NewPet) => ({ pet: await add(newPet), replayed: false });
    const methods: Partial<PetCatalogue> = {
      add,
      addOnce,
      addManyOnce: async (creations) => Promise.all(creations.map(async ({ newPet }) => addOnce(newPet))),
    };
    return except<PetCatalogue>(store, { [method]: methods[method] });
  };
}

/** Catalogues that another one on their store misleads. */
export const brokenShares: Broken<MakeOn> = {
  'a catalogue assigns greater ids than those that another one on its store has restored': {
    'assigns ids by add that it reserved before': reservingFor('add'),
    'assigns ids by addOnce that it reserved before': reservingFor('addOnce'),
    'assigns ids by addManyOnce that it reserved before': reservingFor('addManyOnce'),
  },
  'two catalogues on one store assign no id twice, and show the same animals': {
    'counts its ids alone': (store) => {
      let last = 0n;
      return except<PetCatalogue>(store, { add: async (newPet) => makePet(++last, newPet) });
    },
  },
};
