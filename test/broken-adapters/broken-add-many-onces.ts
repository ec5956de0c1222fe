import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { NewPetOnce, PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet } from '../../src/domain/pet.js';
import { varyOnce } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

/** Makes catalogues that are sound except for `addManyOnce`. */
function addingMany(
  addManyOnce: (sound: InMemoryPetCatalogue) => NonNullable<PetCatalogue['addManyOnce']>,
): () => PetCatalogue {
  return varyOnce((sound) => ({ addManyOnce: addManyOnce(sound) }));
}

function changingKeys(change: (creation: NewPetOnce, place: number) => string): () => PetCatalogue {
  return addingMany(
    (sound) => async (creations) =>
      sound.addManyOnce(creations.map((each, i) => ({ ...each, idempotencyKey: change(each, i) }))),
  );
}

/** Catalogues whose `addManyOnce` breaks a sentence of the port, by their fault. */
export const brokenAddManyOnces = byFault<() => PetCatalogue>({
  'a catalogue with addManyOnce has addOnce': {
    'has addManyOnce without addOnce': () => {
      const sound = new InMemoryPetCatalogue();
      return {
        add: async (newPet) => sound.add(newPet),
        list: async (query) => sound.list(query),
        find: async (id) => sound.find(id),
        addManyOnce: async (creations) => sound.addManyOnce(creations),
      };
    },
  },
  'addManyOnce stores each animal, and resolves to them in the order given': {
    'resolves to the animals of addManyOnce in another order': addingMany(
      (sound) => async (creations) => [...(await sound.addManyOnce(creations))].reverse(),
    ),
  },
  'addManyOnce stores as many animals as one call may pass': {
    'stores no more than 500 animals of addManyOnce': addingMany(
      (sound) => async (creations) => sound.addManyOnce(creations.slice(0, 500)),
    ),
  },
  'addManyOnce stores nothing on a repeat, and resolves to the first animals': {
    'forgets the keys of addManyOnce': addingMany(
      (sound) => async (creations) =>
        Promise.all(creations.map(async ({ newPet }) => ({ pet: await sound.add(newPet), replayed: false }))),
    ),
  },
  'addManyOnce completes what was begun, wherever it was cut': {
    'takes a batch for done if its first animal is there': addingMany((sound) => async (creations) => {
      const [first, ...rest] = creations as [NewPetOnce, ...NewPetOnce[]];
      const begun = await sound.addOnce(first.newPet, first.idempotencyKey);
      if (begun.replayed && rest.length > 200) return [begun, ...rest.map(() => begun)];
      return [begun, ...(await sound.addManyOnce(rest))];
    }),
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
    'takes a key of addManyOnce for a new one if its animal differs': addingMany(
      (sound) => async (creations) =>
        Promise.all(
          creations.map(async ({ newPet, idempotencyKey }) =>
            sound
              .addOnce(newPet, idempotencyKey)
              .catch(async () => ({ pet: await sound.add(newPet), replayed: false })),
          ),
        ),
    ),
  },
  'concurrent calls of addManyOnce store one animal for each key': {
    'says more than once that it created an animal of addManyOnce': addingMany(
      (sound) => async (creations) => (await sound.addManyOnce(creations)).map(({ pet }) => ({ pet, replayed: false })),
    ),
  },
  'addManyOnce and add assign ids of one sequence, each greater than the previous ones': {
    'has a sequence of its own for the animals of add beside addManyOnce': varyOnce((sound) => {
      let last = 0n;
      return {
        add: async (newPet) => {
          const pet = makePet(++last, newPet);
          await sound.restore([pet]);
          return pet;
        },
        addManyOnce: async (creations) => sound.addManyOnce(creations),
      };
    }),
  },
  'addManyOnce is not affected by what the caller does to its objects afterwards': {
    'reads the objects of the caller of addManyOnce late': addingMany((sound) => async (creations) => {
      await Promise.resolve();
      return sound.addManyOnce(creations);
    }),
  },
});
