import { setImmediate } from 'node:timers/promises';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { allPetsOf, returning, storing, vary, type BrokenCatalogue } from './broken-catalogue.js';

/** Catalogues that assign wrong ids, store too late, or forget, by their fault. */
export const brokenAdds: Readonly<Record<string, BrokenCatalogue>> = {
  'numbers from 0': {
    create: returning((pet) => ({ ...pet, id: pet.id - 1n })),
    caughtBy: 'add assigns 1 as the first id of an empty catalogue',
  },
  'numbers downwards': {
    create: returning((pet) => ({ ...pet, id: 1000n - pet.id })),
    caughtBy: 'add assigns an id greater than every id before it',
  },
  'numbers from two blocks in turn': {
    create: returning((pet) => ({ ...pet, id: pet.id % 2n === 0n ? pet.id + 99n : pet.id })),
    caughtBy: 'add assigns an id greater than every id before it',
  },
  'has ids that are numbers': {
    create: returning((pet) => ({ ...pet, id: Number(pet.id) as unknown as bigint })),
    caughtBy: 'add assigns 1 as the first id of an empty catalogue',
  },
  'takes the id that the caller supplies': {
    create: vary((sound) => ({
      add: async (newPet) => {
        const pet = await sound.add(newPet);
        return { ...pet, ...('id' in newPet && { id: newPet.id as bigint }) };
      },
    })),
    caughtBy: 'add keeps no member beyond those of an animal',
  },
  'numbers concurrent animals from another block': {
    create: vary(() => {
      const pets: Pet[] = [];
      const last = { alone: 0n, beside: 1000n };
      let underWay = 0;
      return {
        add: async (newPet) => {
          const id = underWay++ === 0 ? ++last.alone : ++last.beside;
          await setImmediate();
          underWay--;
          const pet = Object.freeze({ id, ...newPet });
          pets.push(pet);
          return pet;
        },
        find: async (id) => pets.find((pet) => pet.id === id),
      };
    }),
    caughtBy: 'add assigns an id greater than those of animals added concurrently before it',
  },
  'shows nothing new while animals are being added': {
    create: vary((sound) => {
      let underWay = 0;
      let shown = 0n;
      return {
        add: async (newPet) => {
          underWay++;
          const pet = await sound.add(newPet);
          await setImmediate();
          if (--underWay === 0) shown = pet.id;
          return pet;
        },
        find: async (id) => (id <= shown ? sound.find(id) : undefined),
      };
    }),
    caughtBy: 'add shows each animal as soon as it resolves, while other calls are pending',
  },
  'gives the same id twice under concurrency': {
    create: vary(() => {
      const pets: Pet[] = [];
      return {
        add: async (newPet) => {
          const id = BigInt(pets.length + 1);
          await setImmediate();
          pets.push({ id, ...newPet });
          return { id, ...newPet };
        },
      };
    }),
    caughtBy: 'add assigns distinct ids to animals added concurrently',
  },
  'loses animals under concurrency': {
    create: vary(() => {
      let pets: readonly Pet[] = [];
      let count = 0n;
      return {
        add: async (newPet) => {
          const before = pets;
          const pet = { id: ++count, ...newPet };
          await setImmediate();
          pets = [...before, pet];
          return pet;
        },
        find: async (id) => pets.find((pet) => pet.id === id),
      };
    }),
    caughtBy: 'add stores every animal that is added concurrently',
  },
  'mixes up the answers to concurrent calls': {
    create: vary((sound) => {
      let newest: NewPet;
      return {
        add: async (newPet) => {
          newest = newPet;
          await setImmediate();
          return sound.add(newest);
        },
      };
    }),
    caughtBy: 'add stores every animal that is added concurrently',
  },
  'has one animal for each name': {
    create: vary((sound) => ({
      add: async (newPet) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known ?? sound.add(newPet);
      },
    })),
    caughtBy: 'add assigns an id greater than every id before it',
  },
  'resolves before it has stored': {
    create: vary((sound) => {
      let count = 0n;
      return {
        add: async (newPet) => {
          void setImmediate().then(async () => sound.add(newPet));
          return Object.freeze({ id: ++count, ...newPet });
        },
      };
    }),
    caughtBy: 'find sees what was stored before it was called',
  },
  'stores every member that it is given': {
    create: vary((sound) => {
      const extras = new Map<bigint, object>();
      return {
        add: async (newPet) => {
          const pet = await sound.add(newPet);
          extras.set(pet.id, { ...newPet, id: pet.id });
          return pet;
        },
        find: async (id) => {
          const pet = await sound.find(id);
          return pet && Object.freeze({ ...extras.get(id), ...pet });
        },
      };
    }),
    caughtBy: 'add keeps no member beyond those of an animal',
  },
  'refuses a second animal at the same time': {
    create: vary((sound) => {
      let busy = false;
      return {
        add: async (newPet) => {
          if (busy) throw new Error('busy');
          busy = true;
          await setImmediate();
          busy = false;
          return sound.add(newPet);
        },
      };
    }),
    caughtBy: 'add assigns distinct ids to animals added concurrently',
  },
  'does not keep an animal beyond the thousandth code unit': {
    create: storing((newPet) => ({ ...newPet, name: newPet.name.slice(0, 1000) })),
    caughtBy: 'add keeps the name exactly: code points beyond the basic plane',
  },
};
