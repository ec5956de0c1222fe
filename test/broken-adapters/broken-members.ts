import type { PetStatus } from '../../src/domain/pet-status.js';
import { PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import { SAMPLES } from '../contracts/pet-samples.js';
import { returning, storing, vary, varyOnce, type BrokenCatalogue } from './broken-catalogue.js';

/** An animal without one of its members. */
function without(newPet: NewPet, member: keyof NewPet): NewPet {
  const { [member]: _forgotten, ...others } = newPet;
  return others as NewPet;
}

const NO_STATUS = 'add leaves the status out if there is none';

function renaming(change: (name: string) => string, check: string): BrokenCatalogue {
  return {
    create: storing((newPet) => ({ ...newPet, name: change(newPet.name) })),
    caughtBy: `add keeps the name exactly: ${check}`,
  };
}

function recategorising(change: (categoryId: bigint) => bigint, check: string): BrokenCatalogue {
  return {
    create: storing((newPet) => ({ ...newPet, categoryId: change(newPet.categoryId) })),
    caughtBy: `add keeps the categoryId exactly: ${check}`,
  };
}

/** Catalogues that change an animal, by their fault. */
export const brokenMembers: Readonly<Record<string, BrokenCatalogue>> = {
  ...Object.fromEntries(
    PET_MEMBER_NAMES.flatMap((member): [string, BrokenCatalogue][] => [
      [
        `forgets the ${member}`,
        {
          create: storing((newPet) => without(newPet, member)),
          caughtBy: `add keeps the ${member} exactly: ${Object.keys(SAMPLES[member])[0]}`,
        },
      ],
      [
        `forgets the ${member} of animals that it stores once`,
        {
          create: varyOnce((sound) => ({
            addOnce: async (newPet, once) => sound.addOnce(without(newPet, member), once),
          })),
          caughtBy: `addOnce refuses the key of another animal, and stores nothing: another ${member}`,
        },
      ],
    ]),
  ),
  'loses the status beside some names': {
    create: storing((newPet) =>
      newPet.name === 'rex' && newPet.status !== 'available' ? without(newPet, 'status') : newPet,
    ),
    caughtBy: 'add keeps every member beside every other',
  },
  'trims the name': renaming((name) => name.trim(), 'white space around it'),
  'normalises the name': renaming((name) => name.normalize('NFC'), 'decomposed and composed letters'),
  'cuts the name after 1,024 code units': renaming((name) => name.slice(0, 1024), 'code points beyond the basic plane'),
  'escapes dollars and dots in the name': renaming(
    (name) => name.replaceAll(/[$.]/g, '_'),
    'characters that stores give a meaning',
  ),
  'turns a name of digits into a number': renaming(
    (name) => (/^\d+$/.test(name) ? `${Number(name)}` : name),
    'digits alone',
  ),
  'cuts a byte order mark from the name': renaming((name) => name.replace(/^\ufeff/, ''), 'a byte order mark first'),
  'replaces noncharacters in the name': renaming(
    (name) => name.replaceAll('\uffff', '\ufffd'),
    'noncharacters and the replacement character',
  ),
  'unifies line ends in the name': renaming((name) => name.replaceAll('\r\n', '\n'), 'line ends of every kind'),
  'cuts the name at the end of its first line': renaming(
    (name) => name.split('\n', 1)[0] as string,
    'line ends of every kind',
  ),
  'keeps the categoryId as a double': recategorising(
    (id) => BigInt.asIntN(64, BigInt(Number(id))),
    'more than a double can hold',
  ),
  'keeps the categoryId in 32 bits': recategorising((id) => BigInt.asIntN(32, id), 'more than 32 bits can hold'),
  'keeps the categoryId unsigned': recategorising((id) => BigInt.asUintN(64, id), 'a negative one'),
  'makes up a status': { create: storing((newPet) => ({ status: 'available', ...newPet })), caughtBy: NO_STATUS },
  'has null for no status': {
    create: returning((pet) => Object.freeze({ status: null as unknown as PetStatus, ...pet })),
    caughtBy: NO_STATUS,
  },
  'has undefined for no status': {
    create: returning((pet) => Object.freeze({ status: undefined as unknown as PetStatus, ...pet })),
    caughtBy: NO_STATUS,
  },
  'keeps pending as sold': {
    create: storing((newPet) => (newPet.status === 'pending' ? { ...newPet, status: 'sold' } : newPet)),
    caughtBy: 'add keeps the status exactly: pending',
  },
  'shows the database’s own members': {
    create: returning((pet) => Object.freeze({ ...pet, _id: pet.id })),
    caughtBy: 'add resolves to the animal with the id that it was given',
  },
  'answers with animals that can be changed': {
    create: returning((pet) => ({ ...pet })),
    caughtBy: 'an animal never changes once returned',
  },
  'hands out the very object that it keeps': {
    create: vary((sound) => {
      const kept = new Map<bigint, Pet>();
      return {
        add: async (newPet) => {
          const pet = { ...(await sound.add(newPet)) };
          kept.set(pet.id, pet);
          return pet;
        },
        find: async (id) => kept.get(id),
      };
    }),
    caughtBy: 'an animal never changes once returned',
  },
  'keeps the very object that the caller gave': {
    create: vary((sound) => {
      const given = new Map<bigint, NewPet>();
      return {
        add: async (newPet) => {
          const pet = await sound.add(newPet);
          given.set(pet.id, newPet);
          return pet;
        },
        find: async (id) => {
          const newPet = given.get(id);
          return newPet && Object.freeze({ id, ...newPet });
        },
      };
    }),
    caughtBy: 'add is not affected by what the caller does to its object afterwards',
  },
};
