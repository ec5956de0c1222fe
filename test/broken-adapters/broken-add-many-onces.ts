import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import type { NewPetOnce, PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet } from '../../src/domain/pet.js';
import { varyOnce, type BrokenCatalogue } from './broken-catalogue.js';

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
export const brokenAddManyOnces: Readonly<Record<string, BrokenCatalogue>> = {
  'has addManyOnce without addOnce': {
    create: () => {
      const sound = new InMemoryPetCatalogue();
      return {
        add: async (newPet) => sound.add(newPet),
        list: async (query) => sound.list(query),
        find: async (id) => sound.find(id),
        addManyOnce: async (creations) => sound.addManyOnce(creations),
      };
    },
    caughtBy: 'a catalogue with addManyOnce has addOnce',
  },
  'resolves to the animals of addManyOnce in another order': {
    create: addingMany((sound) => async (creations) => [...(await sound.addManyOnce(creations))].reverse()),
    caughtBy: 'addManyOnce stores each animal, and resolves to them in the order given',
  },
  'stores no more than 500 animals of addManyOnce': {
    create: addingMany((sound) => async (creations) => sound.addManyOnce(creations.slice(0, 500))),
    caughtBy: 'addManyOnce stores as many animals as one call may pass',
  },
  'forgets the keys of addManyOnce': {
    create: addingMany(
      (sound) => async (creations) =>
        Promise.all(creations.map(async ({ newPet }) => ({ pet: await sound.add(newPet), replayed: false }))),
    ),
    caughtBy: 'addManyOnce stores nothing on a repeat, and resolves to the first animals',
  },
  'takes a batch for done if its first animal is there': {
    create: addingMany((sound) => async (creations) => {
      const [first, ...rest] = creations as [NewPetOnce, ...NewPetOnce[]];
      const begun = await sound.addOnce(first.newPet, first.idempotencyKey);
      if (begun.replayed && rest.length > 200) return [begun, ...rest.map(() => begun)];
      return [begun, ...(await sound.addManyOnce(rest))];
    }),
    caughtBy: 'addManyOnce completes what was begun, wherever it was cut',
  },
  'has keys of its own for addManyOnce': {
    create: changingKeys(({ idempotencyKey }) => `many ${idempotencyKey}`),
    caughtBy: 'addManyOnce and addOnce know the keys of each other',
  },
  'takes equal animals of addManyOnce for one': {
    create: changingKeys(({ newPet, idempotencyKey }) => (newPet.name === 'Rex' ? 'Rex' : idempotencyKey)),
    caughtBy: 'addManyOnce takes equal animals with several keys for several animals',
  },
  'takes a key of addManyOnce for a new one if its animal differs': {
    create: addingMany(
      (sound) => async (creations) =>
        Promise.all(
          creations.map(async ({ newPet, idempotencyKey }) =>
            sound
              .addOnce(newPet, idempotencyKey)
              .catch(async () => ({ pet: await sound.add(newPet), replayed: false })),
          ),
        ),
    ),
    caughtBy: 'addManyOnce rejects if a key belongs to another animal, which stays as it is',
  },
  'says more than once that it created an animal of addManyOnce': {
    create: addingMany(
      (sound) => async (creations) => (await sound.addManyOnce(creations)).map(({ pet }) => ({ pet, replayed: false })),
    ),
    caughtBy: 'concurrent calls of addManyOnce store one animal for each key',
  },
  'has a sequence of its own for the animals of add beside addManyOnce': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addManyOnce and add assign ids of one sequence, each greater than the previous ones',
  },
  'reads the objects of the caller of addManyOnce late': {
    create: addingMany((sound) => async (creations) => {
      await Promise.resolve();
      return sound.addManyOnce(creations);
    }),
    caughtBy: 'addManyOnce is not affected by what the caller does to its objects afterwards',
  },
};
