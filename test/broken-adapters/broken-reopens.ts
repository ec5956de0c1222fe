import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { replayCreation } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue, PetRecord } from '../../src/domain/pet-catalogue.js';
import { makePet, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { ReopenCatalogue } from '../contracts/pet-catalogue-reopen-checks.js';
import { except } from '../support/except.js';
import type { Broken } from './breaking.js';
import { allPetsOf, recordsOf } from './broken-catalogue.js';

/** A new catalogue with the records of another one, which `change` may alter. */
export async function copyOf(
  catalogue: PetCatalogue,
  change: (record: PetRecord) => PetRecord = (record) => record,
): Promise<InMemoryPetCatalogue> {
  const copy = new InMemoryPetCatalogue();
  await copy.restore((await recordsOf(catalogue)).map(change));
  return copy;
}

/** Catalogues that lose something when they are opened again. */
export const brokenReopens: Broken<ReopenCatalogue> = {
  'a catalogue that is opened again has the same animals': {
    'keeps nothing': () => new InMemoryPetCatalogue(),
    'loses digits': async (catalogue) =>
      copyOf(catalogue, ({ pet }) => ({ pet: { ...pet, categoryId: BigInt(Number(pet.categoryId)) } })),
  },
  'a catalogue that is opened again assigns greater ids than before': {
    'counts its ids from 1 again': async (catalogue) => {
      let last = 0n;
      return except<PetCatalogue>(await copyOf(catalogue), { add: async (newPet) => makePet(++last, newPet) });
    },
  },
  'a catalogue that is opened again replays the creations of addOnce': {
    'forgets idempotency keys': async (catalogue) => copyOf(catalogue, ({ pet }) => ({ pet })),
  },
  'a catalogue that is opened again refuses the idempotency key of another animal': {
    'replays the creation of another animal': async (catalogue) => {
      const [pet] = await allPetsOf(catalogue);
      return except<PetCatalogue>(await copyOf(catalogue), {
        addOnce: async () => replayCreation(pet as Pet, pet as Pet),
      });
    },
  },
  'a catalogue that is opened again has the restored animals and digests, and assigns greater ids': {
    'keeps only what it has added itself': async (catalogue) => {
      const copy = new InMemoryPetCatalogue();
      for (const pet of await allPetsOf(catalogue)) await copy.add(pet);
      return copy;
    },
  },
};

/** Makes a catalogue on a store. */
type MakeOn = (store: InMemoryPetCatalogue) => PetCatalogue;

/** A catalogue that goes on to use reserved ids in one of its methods, after another one has restored animals. */
function reservingFor(method: 'add' | 'addOnce'): MakeOn {
  return (store) => {
    let last = 99n;
    const add = async (newPet: NewPet): Promise<Pet> => {
      const pet = makePet(++last, newPet);
      await store.restore([{ pet }]);
      return pet;
    };
    const addOnce = async (newPet: NewPet) => ({ pet: await add(newPet), replayed: false });
    return except<PetCatalogue>(store, { [method]: { add, addOnce }[method] });
  };
}

/** Catalogues that another one on their store misleads. */
export const brokenShares: Broken<MakeOn> = {
  'a catalogue assigns greater ids than those that another one on its store has restored': {
    'assigns ids by add that it reserved before': reservingFor('add'),
    'assigns ids by addOnce that it reserved before': reservingFor('addOnce'),
  },
  'two catalogues on one store assign no id twice, and show the same animals': {
    'counts its ids alone': (store) => {
      let last = 0n;
      return except<PetCatalogue>(store, { add: async (newPet) => makePet(++last, newPet) });
    },
  },
  'two catalogues on one store store one animal for concurrent calls of addOnce': {
    'has idempotency keys of its own': (store) =>
      except<PetCatalogue>(store, { addOnce: async (newPet, key) => store.addOnce(newPet, `mine ${key}`) }),
  },
};
