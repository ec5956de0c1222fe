import type { NewPetOnce, PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet } from '../../src/domain/pet.js';
import type { Broken } from './breaking.js';
import { anew } from './broken-add-onces.js';
import { whole } from './broken-catalogue.js';

const { vary, around } = whole;

/** Makes catalogues whose `addManyOnce` gets other keys. */
function changingKeys(change: (creation: NewPetOnce) => string): () => PetCatalogue {
  return around('addManyOnce', (addManyOnce, creations) =>
    addManyOnce(creations.map((each) => ({ ...each, idempotencyKey: change(each) }))),
  );
}

/** Catalogues whose `addManyOnce` breaks a sentence of the port. */
export const brokenAddManyOnces: Broken<() => PetCatalogue> = {
  'a catalogue with addManyOnce has addOnce': {
    'has addManyOnce without addOnce': vary(() => ({ addOnce: undefined })),
  },
  'addManyOnce stores each animal, and resolves to them in the order given': {
    'resolves to the animals of addManyOnce in another order': around('addManyOnce', async (addManyOnce, creations) =>
      [...(await addManyOnce(creations))].reverse(),
    ),
  },
  'addManyOnce stores as many animals as one call may pass': {
    'stores no more than 500 animals of addManyOnce': around('addManyOnce', (addManyOnce, creations) =>
      addManyOnce(creations.slice(0, 500)),
    ),
  },
  'addManyOnce stores nothing on a repeat, and resolves to the first animals': {
    'forgets the keys of addManyOnce': vary((sound) => ({
      addManyOnce: (creations) => Promise.all(creations.map(({ newPet }) => anew(sound, newPet))),
    })),
  },
  'addManyOnce completes what was begun, wherever it was cut': {
    'takes a batch for done if its first animal is there': vary((sound) => ({
      addManyOnce: async (creations) => {
        const [first, ...rest] = creations as [NewPetOnce, ...NewPetOnce[]];
        const begun = await sound.addOnce(first.newPet, first.idempotencyKey);
        if (begun.replayed && rest.length > 200) return [begun, ...rest.map(() => begun)];
        return [begun, ...(await sound.addManyOnce(rest))];
      },
    })),
  },
  'addManyOnce and addOnce know the keys of each other': {
    'has keys of its own for addManyOnce': changingKeys(({ idempotencyKey }) => `many ${idempotencyKey}`),
  },
  'addManyOnce takes equal animals with several keys for several animals': {
    'takes equal animals of addManyOnce for one': changingKeys(({ newPet, idempotencyKey }) =>
      newPet.name === 'Rex' ? 'Rex' : idempotencyKey,
    ),
  },
  'addManyOnce rejects if a key belongs to another animal, which stays as it is': {
    'takes a key of addManyOnce for a new one if its animal differs': vary((sound) => ({
      addManyOnce: (creations) =>
        Promise.all(
          creations.map(({ newPet, idempotencyKey }) =>
            sound.addOnce(newPet, idempotencyKey).catch(() => anew(sound, newPet)),
          ),
        ),
    })),
  },
  'concurrent calls of addManyOnce store one animal for each key': {
    'says more than once that it created an animal of addManyOnce': around(
      'addManyOnce',
      async (addManyOnce, creations) => (await addManyOnce(creations)).map(({ pet }) => ({ pet, replayed: false })),
    ),
  },
  'addManyOnce and add assign ids of one sequence, each greater than the previous ones': {
    'has a sequence of its own for the animals of add beside addManyOnce': vary((sound) => {
      let last = 0n;
      return {
        add: async (newPet) => {
          const pet = makePet(++last, newPet);
          await sound.restore([pet]);
          return pet;
        },
      };
    }),
  },
  'addManyOnce is not affected by what the caller does to its objects afterwards': {
    'reads the objects of the caller of addManyOnce late': around('addManyOnce', async (addManyOnce, creations) => {
      await Promise.resolve();
      return addManyOnce(creations);
    }),
  },
};
