import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { setImmediate } from 'node:timers/promises';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { allPetsOf, returning, storing, vary } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

/** Catalogues that assign wrong ids, store too late, or forget, by their fault. */
export const brokenAdds = byFault<() => PetCatalogue>({
  'add assigns 1 as the first id of an empty catalogue': {
    'numbers from 0': returning((pet) => ({ ...pet, id: pet.id - 1n })),
    'has ids that are numbers': returning((pet) => ({ ...pet, id: Number(pet.id) as unknown as bigint })),
  },
  'add assigns an id greater than every id before it': {
    'numbers downwards': returning((pet) => ({ ...pet, id: 1000n - pet.id })),
    'numbers from two blocks in turn': returning((pet) => ({ ...pet, id: pet.id % 2n === 0n ? pet.id + 99n : pet.id })),
    'has one animal for each name': vary((sound) => ({
      add: async (newPet) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known ?? sound.add(newPet);
      },
    })),
  },
  'add keeps no member beyond those of an animal': {
    'takes the id that the caller supplies': vary((sound) => ({
      add: async (newPet) => {
        const pet = await sound.add(newPet);
        return { ...pet, ...('id' in newPet && { id: newPet.id as bigint }) };
      },
    })),
    'stores every member that it is given': vary((sound) => {
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
  },
  'add assigns an id greater than those of animals added concurrently before it': {
    'numbers concurrent animals from another block': vary(() => {
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
  },
  'add shows each animal as soon as it resolves, while other calls are pending': {
    'shows nothing new while animals are being added': vary((sound) => {
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
  },
  'add assigns distinct ids to animals added concurrently': {
    'gives the same id twice under concurrency': vary(() => {
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
    'refuses a second animal at the same time': vary((sound) => {
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
  },
  'add stores every animal that is added concurrently': {
    'loses animals under concurrency': vary(() => {
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
    'mixes up the answers to concurrent calls': vary((sound) => {
      let newest: NewPet;
      return {
        add: async (newPet) => {
          newest = newPet;
          await setImmediate();
          return sound.add(newest);
        },
      };
    }),
  },
  'find sees what was stored before it was called': {
    'resolves before it has stored': vary((sound) => {
      let count = 0n;
      return {
        add: async (newPet) => {
          void setImmediate().then(async () => sound.add(newPet));
          return Object.freeze({ id: ++count, ...newPet });
        },
      };
    }),
  },
  'add keeps the name exactly: code points beyond the basic plane': {
    'does not keep an animal beyond the thousandth code unit': storing((newPet) => ({
      ...newPet,
      name: newPet.name.slice(0, 1000),
    })),
  },
});
