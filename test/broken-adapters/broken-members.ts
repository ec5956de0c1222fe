import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { PetStatus } from '../../src/domain/pet-status.js';
import { PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import { SAMPLES } from '../contracts/pet-samples.js';
import { returning, storing, vary, varyOnce } from './broken-catalogue.js';
import { byFault, type ByFault } from './by-fault.js';

/** An animal without one of its members. */
function without(newPet: NewPet, member: keyof NewPet): NewPet {
  const { [member]: _forgotten, ...others } = newPet;
  return others as NewPet;
}

function renaming(change: (name: string) => string): () => PetCatalogue {
  return storing((newPet) => ({ ...newPet, name: change(newPet.name) }));
}

function recategorising(change: (categoryId: bigint) => bigint): () => PetCatalogue {
  return storing((newPet) => ({ ...newPet, categoryId: change(newPet.categoryId) }));
}

const forgetful = PET_MEMBER_NAMES.map((member) => ({
  [`add keeps the ${member} exactly: ${Object.keys(SAMPLES[member])[0]}`]: {
    [`forgets the ${member}`]: storing((newPet) => without(newPet, member)),
  },
  [`addOnce refuses the key of another animal, and stores nothing: another ${member}`]: {
    [`forgets the ${member} of animals that it stores once`]: varyOnce((sound) => ({
      addOnce: async (newPet, once) => sound.addOnce(without(newPet, member), once),
    })),
  },
}));

/** Catalogues that change an animal, by their fault. */
export const brokenMembers: ByFault<() => PetCatalogue> = {
  ...Object.assign({}, ...forgetful.map(byFault)),
  ...byFault({
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
      'has null for no status': returning((pet) => Object.freeze({ status: null as unknown as PetStatus, ...pet })),
      'has undefined for no status': returning((pet) =>
        Object.freeze({ status: undefined as unknown as PetStatus, ...pet }),
      ),
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
      'hands out the very object that it keeps': vary((sound) => {
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
          find: async (id) => {
            const newPet = given.get(id);
            return newPet && Object.freeze({ id, ...newPet });
          },
        };
      }),
    },
  }),
};
