import { setImmediate } from 'node:timers/promises';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import { SAMPLES } from '../contracts/pet-samples.js';
import { fail, type Broken } from './breaking.js';
import { allPetsOf, around, vary, without } from './broken-catalogue.js';

/** Makes catalogues that add something other than the given animal. */
function storing(change: (newPet: NewPet) => NewPet): () => PetCatalogue {
  return around('add', (add, newPet) => add(change(newPet)));
}

function renaming(change: (name: string) => string): () => PetCatalogue {
  return storing((newPet) => ({ ...newPet, name: change(newPet.name) }));
}

function recategorising(change: (categoryId: bigint) => bigint): () => PetCatalogue {
  return storing((newPet) => ({ ...newPet, categoryId: change(newPet.categoryId) }));
}

/** Makes catalogues that return something other than the stored animal. */
function returning(change: (pet: Pet) => object): () => PetCatalogue {
  return vary((sound) => ({
    add: async (newPet) => change(await sound.add(newPet)),
    list: async (query) => {
      const page = await sound.list(query);
      return { ...page, pets: page.pets.map(change) };
    },
    find: async (id) => {
      const pet = await sound.find(id);
      return pet && change(pet);
    },
  }));
}

/** Makes catalogues whose `find` returns what `make` makes of an added animal and of the caller's object. */
function finding(make: (pet: Pet, given: NewPet) => object): () => PetCatalogue {
  return vary((sound) => {
    const made = new Map<bigint, () => object>();
    return {
      add: async (newPet) => {
        const pet = await sound.add(newPet);
        made.set(pet.id, () => make(pet, newPet));
        return pet;
      },
      find: async (id) => made.get(id)?.(),
    };
  });
}

/** Makes catalogues that do something else with an animal while they add another one. */
function crowded(instead: (sound: PetCatalogue, newPet: NewPet) => Promise<unknown>): () => PetCatalogue {
  return vary((sound) => {
    let underWay = 0;
    return {
      add: async (newPet) => {
        const isAlone = underWay++ === 0;
        await setImmediate();
        const adding = isAlone ? sound.add(newPet) : instead(sound, newPet);
        return adding.finally(() => underWay--);
      },
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
  'add assigns an id greater than those of all animals added before, alone or concurrently': {
    'numbers downwards': returning((pet) => ({ ...pet, id: 1000n - pet.id })),
    'numbers from two blocks in turn': returning((pet) => ({ ...pet, id: pet.id % 2n === 0n ? pet.id + 99n : pet.id })),
    'numbers concurrent animals from another block': crowded(async (sound, newPet) => {
      const { id } = await sound.add(newPet);
      return makePet(id + 1000n, newPet);
    }),
    'has one animal for each name': vary((sound) => ({
      add: async (newPet) => (await allPetsOf(sound)).find(({ name }) => name === newPet.name) ?? sound.add(newPet),
    })),
  },
  'add keeps no member beyond those of an animal': {
    'takes the id that the caller supplies': around('add', async (add, newPet) => ({
      ...(await add(newPet)),
      ...('id' in newPet && { id: newPet.id }),
    })),
    'shows the members of its database': returning((pet) => Object.freeze({ ...pet, _id: pet.id })),
    'stores every member that it is given': finding((pet, given) => Object.freeze({ ...given, ...pet })),
  },
  'add stores each of many concurrent animals under an id of its own, and shows it once it resolves': {
    'resolves before it has stored': vary((sound) => {
      let last = 0n;
      return {
        add: async (newPet) => {
          void setImmediate().then(() => sound.add(newPet).catch(() => undefined));
          return makePet(++last, newPet);
        },
      };
    }),
    'gives the same id to concurrent animals': crowded(async (_sound, newPet) => makePet(1n, newPet)),
    'refuses a second animal at the same time': crowded(fail),
    'mixes up concurrent animals': crowded(async (sound, newPet) => sound.add({ ...newPet, name: 'pet 0' })),
  },
  'add keeps the name exactly: white space around it': { 'trims the name': renaming((name) => name.trim()) },
  'add keeps the name exactly: decomposed and composed letters': {
    'normalises the name': renaming((name) => name.normalize('NFC')),
  },
  'add keeps the name exactly: code points beyond the basic plane': {
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
  'an animal never changes once returned, whatever a caller does to its own objects': {
    'answers with animals that can be changed': returning((pet) => ({ ...pet })),
    'keeps the very object that the caller gave': finding(({ id }, given) => Object.freeze({ id, ...given })),
  },
};
