import type { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet, type NewPet } from '../../src/domain/pet.js';
import { byFault } from './by-fault.js';

/** Makes a catalogue on a store. */
type MakeOn = (store: InMemoryPetCatalogue) => PetCatalogue;
type Adding = Pick<Required<PetCatalogue>, 'add' | 'addOnce' | 'addManyOnce'>;

/** A catalogue whose methods are those of its store, except for the given ones. */
export function catalogueOn(store: InMemoryPetCatalogue, methods: Partial<PetCatalogue> = {}): PetCatalogue {
  return {
    add: async (newPet) => store.add(newPet),
    addOnce: async (newPet, key) => store.addOnce(newPet, key),
    addManyOnce: async (creations) => store.addManyOnce(creations),
    list: async (query) => store.list(query),
    find: async (id) => store.find(id),
    restore: async (pets) => store.restore(pets),
    ...methods,
  };
}

/** Adds animals under ids that were reserved before the store had any animal. */
function addingReserved(store: InMemoryPetCatalogue): Adding {
  let next = 100n;
  const add = async (newPet: NewPet) => {
    const pet = makePet(next++, newPet);
    await store.restore([pet]);
    return pet;
  };
  const addOnce = async (newPet: NewPet) => ({ pet: await add(newPet), replayed: false });
  return {
    add,
    addOnce,
    addManyOnce: async (creations) => Promise.all(creations.map(async ({ newPet }) => addOnce(newPet))),
  };
}

/** A catalogue that goes on to use reserved ids in one of its methods, after another one has restored animals. */
function reservingFor(method: keyof Adding): MakeOn {
  return (store) => catalogueOn(store, { [method]: addingReserved(store)[method] });
}

/** Catalogues that another one on their store misleads, by their fault. */
export const brokenShares = byFault<MakeOn>({
  'a catalogue assigns greater ids than those that another one on its store has restored': {
    'assigns ids by add that it reserved before': reservingFor('add'),
    'assigns ids by addOnce that it reserved before': reservingFor('addOnce'),
    'assigns ids by addManyOnce that it reserved before': reservingFor('addManyOnce'),
  },
  'two catalogues on one store assign no id twice, and show the same animals': {
    'counts its ids alone': (store) => {
      let last = 0n;
      return catalogueOn(store, { add: async (newPet) => makePet(++last, newPet) });
    },
  },
});
