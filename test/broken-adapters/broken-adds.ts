import { setImmediate } from 'node:timers/promises';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import { SAMPLES } from '../contracts/pet-samples.js';
import { fail, type Broken } from './breaking.js';
import { around, petNamed, returning, storing, vary, without } from './broken-catalogue.js';

function renaming(change: (name: string) => string): () => PetCatalogue {
  return storing((newPet) => ({ ...newPet, name: change(newPet.name) }));
}

function recategorising(change: (categoryId: bigint) => bigint): () => PetCatalogue {
  return storing((newPet) => ({ ...newPet, categoryId: change(newPet.categoryId) }));
}

/** Makes catalogues that find only animals that `add` has noted, or what is noted in their place. */
function noting(
  add: (newPet: NewPet, note: (id: bigint, pet: object) => void, sound: PetCatalogue) => Promise<unknown>,
): () => PetCatalogue {
  return vary((sound) => {
    const noted = new Map<bigint, object>();
    return {
      add: (newPet) => add(newPet, (id, pet) => noted.set(id, pet), sound),
      find: async (id) => noted.get(id),
    };
  });
}

/** Catalogues that change an animal, assign wrong ids, store too late, or forget. */
export const brokenAdds: Broken<() => PetCatalogue> = {
  ...Object.fromEntries(
    PET_MEMBER_NAMES.map((member) => [
      `add keeps the ${member} exactly: ${Object.keys(SAMPLES[member])[0]}`,
      { [`forgets the ${member}`]: storing((newPet) => without(newPet, member)) },
    ]),
  ),
  'add assigns 1 as the first id of an empty catalogue': {
    'numbers from 0': returning((pet) => ({ ...pet, id: pet.id - 1n })),
    'has ids that are numbers': returning((pet) => ({ ...pet, id: Number(pet.id) })),
  },
  'add assigns an id greater than every id before it': {
    'numbers downwards': returning((pet) => ({ ...pet, id: 1000n - pet.id })),
    'numbers from two blocks in turn': returning((pet) => ({ ...pet, id: pet.id % 2n === 0n ? pet.id + 99n : pet.id })),
    'has one animal for each name': vary((sound) => ({
      add: async (newPet) => (await petNamed(sound, newPet.name)) ?? sound.add(newPet),
    })),
  },
  'add keeps no member beyond those of an animal': {
    'takes the id that the caller supplies': around('add', async (add, newPet) => ({
      ...(await add(newPet)),
      ...('id' in newPet && { id: newPet.id }),
    })),
    'stores every member that it is given': noting(async (newPet, note, sound) => {
      const pet = await sound.add(newPet);
      note(pet.id, Object.freeze({ ...newPet, ...pet }));
      return pet;
    }),
  },
  'add assigns an id greater than those of animals added concurrently before it': {
    'numbers concurrent animals from another block': vary(() => {
      const last = { alone: 0n, beside: 1000n };
      let underWay = 0;
      return {
        add: async (newPet) => {
          const id = underWay++ === 0 ? ++last.alone : ++last.beside;
          await setImmediate();
          underWay--;
          return { id, ...newPet };
        },
      };
    }),
  },
  'add shows each animal as soon as it resolves, while other calls are pending': {
    'resolves before it has stored': vary((sound) => {
      let count = 0n;
      return {
        add: async (newPet) => {
          void setImmediate().then(() => sound.add(newPet).catch(() => undefined));
          return Object.freeze({ id: ++count, ...newPet });
        },
      };
    }),
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
  'add stores every animal that is added concurrently, with an id of its own': {
    'gives the same id twice under concurrency': vary(() => {
      let count = 0n;
      return {
        add: async (newPet) => {
          const id = count + 1n;
          await setImmediate();
          count++;
          return { id, ...newPet };
        },
      };
    }),
    'refuses a second animal at the same time': vary((sound) => {
      let isBusy = false;
      return {
        add: async (newPet) => {
          if (isBusy) return fail();
          isBusy = true;
          await setImmediate();
          isBusy = false;
          return sound.add(newPet);
        },
      };
    }),
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
  'add keeps every member beside every other': {
    'loses the status beside some names': storing((newPet) =>
      newPet.name === 'rex' && newPet.status !== 'available' ? without(newPet, 'status') : newPet,
    ),
  },
  'add keeps the name exactly: white space around it': { 'trims the name': renaming((name) => name.trim()) },
  'add keeps the name exactly: decomposed and composed letters': {
    'normalises the name': renaming((name) => name.normalize('NFC')),
  },
  'add keeps the name exactly: code points beyond the basic plane': {
    'cuts the name after 1,000 code units': renaming((name) => name.slice(0, 1000)),
    'cuts the name after 1,024 code units': renaming((name) => name.slice(0, 1024)),
  },
  'add keeps the name exactly: characters that stores give a meaning': {
    'escapes dollars and dots in the name': renaming((name) => name.replaceAll(/[$.]/g, '_')),
  },
  'add keeps the name exactly: digits alone': {
    'turns a name of digits into a number': renaming((name) => (/^\d+$/.test(name) ? `${Number(name)}` : name)),
  },
  'add keeps the name exactly: a byte order mark first': {
    'cuts a byte order mark from the name': renaming((name) => name.replace(/^\ufeff/, '')),
  },
  'add keeps the name exactly: noncharacters and the replacement character': {
    'replaces noncharacters in the name': renaming((name) => name.replaceAll('\uffff', '\ufffd')),
  },
  'add keeps the name exactly: line ends of every kind': {
    'unifies line ends in the name': renaming((name) => name.replaceAll('\r\n', '\n')),
    'cuts the name at the end of its first line': renaming((name) => name.split('\n', 1)[0] as string),
  },
  'add keeps the categoryId exactly: more than a double can hold': {
    'keeps the categoryId as a double': recategorising((id) => BigInt.asIntN(64, BigInt(Number(id)))),
  },
  'add keeps the categoryId exactly: more than 32 bits can hold': {
    'keeps the categoryId in 32 bits': recategorising((id) => BigInt.asIntN(32, id)),
  },
  'add keeps the categoryId exactly: a negative one': {
    'keeps the categoryId unsigned': recategorising((id) => BigInt.asUintN(64, id)),
  },
  'add leaves the status out if there is none': {
    'makes up a status': storing((newPet) => ({ status: 'available', ...newPet })),
    'has null for no status': returning((pet) => Object.freeze({ status: null, ...pet })),
    'has undefined for no status': returning((pet) => Object.freeze({ status: undefined, ...pet })),
  },
  'add keeps the status exactly: pending': {
    'keeps pending as sold': storing((newPet) =>
      newPet.status === 'pending' ? { ...newPet, status: 'sold' } : newPet,
    ),
  },
  'add resolves to the animal with the id that it was given': {
    'shows the database’s own members': returning((pet) => Object.freeze({ ...pet, _id: pet.id })),
  },
  'an animal never changes once returned': {
    'answers with animals that can be changed': returning((pet) => ({ ...pet })),
    'hands out the very object that it keeps': noting(async (newPet, note, sound) => {
      const pet = { ...(await sound.add(newPet)) };
      note(pet.id, pet);
      return pet;
    }),
  },
  'add is not affected by what the caller does to its object afterwards': {
    'keeps the very object that the caller gave': vary((sound) => {
      const given = new Map<bigint, NewPet>();
      return {
        add: async (newPet) => {
          const pet = await sound.add(newPet);
          given.set(pet.id, newPet);
          return pet;
        },
        find: async (id) => given.has(id) && Object.freeze({ id, ...given.get(id) }),
      };
    }),
  },
};
