import { inspect } from 'node:util';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { PetCatalogue, PetRecord } from '../../src/domain/pet-catalogue.js';
import { makePet } from '../../src/domain/pet.js';
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
  'a catalogue that is opened again knows the idempotency keys of its animals': {
    'forgets idempotency keys': async (catalogue) => copyOf(catalogue, ({ pet }) => ({ pet })),
    'replays the creation of any animal': async (catalogue) => {
      const [pet] = await allPetsOf(catalogue);
      return except<PetCatalogue>(await copyOf(catalogue), { addOnce: async () => ({ pet, replayed: true }) });
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

/** A catalogue that goes on to use ids that it reserved, after another one has restored animals. */
const reserving: MakeOn = (store) => {
  let last = 99n;
  return except<PetCatalogue>(store, {
    add: async (newPet) => {
      const pet = makePet(++last, newPet);
      await store.restore([{ pet }]);
      return pet;
    },
  });
};

/** Makes catalogues that keep what a method resolved to, if `isKept` says so, until they add an animal themselves. */
function keeping(name: 'list' | 'find', isKept: (result: unknown) => boolean = () => true): MakeOn {
  return (store) => {
    const kept = new Map<string, unknown>();
    return except<PetCatalogue>(store, {
      [name]: async (argument: never) => {
        const text = inspect(argument);
        const result: unknown = kept.has(text) ? kept.get(text) : await store[name](argument);
        if (isKept(result)) kept.set(text, result);
        return result;
      },
      add: async (newPet) => {
        kept.clear();
        return store.add(newPet);
      },
    });
  };
}

/** Catalogues that another one on their store misleads. */
export const brokenShares: Broken<MakeOn> = {
  'a catalogue shows what another one on its store has restored, and assigns greater ids': {
    'assigns ids that it reserved before': reserving,
  },
  'addOnce assigns greater ids than those that another catalogue on its store has restored': {
    'assigns ids by addOnce that it reserved before': (store) =>
      except<PetCatalogue>(store, {
        addOnce: async (newPet) => ({ pet: await reserving(store).add(newPet), replayed: false }),
      }),
  },
  'a catalogue shows what another one on its store has added since it looked': {
    'keeps a page until it adds an animal': keeping('list'),
    'remembers that an id is free until it adds an animal': keeping('find', (pet) => pet === undefined),
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
