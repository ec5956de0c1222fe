import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { replayCreation, type PetCreation } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { isSamePet, makePet, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { Broken } from './breaking.js';
import { allPetsOf, around, vary } from './broken-catalogue.js';

/** Makes catalogues whose `addOnce` answers something other than what it did. */
function answering(change: (creation: PetCreation, key: string) => object): () => PetCatalogue {
  return around('addOnce', async (addOnce, newPet, key) => change(await addOnce(newPet, key), key));
}

/** Makes catalogues that mistake an idempotency key for another one. */
function taking(change: (key: string) => string): () => PetCatalogue {
  return around('addOnce', (addOnce, newPet, key) => addOnce(newPet, change(key)));
}

/**
 * Makes catalogues with an `addOnce` of their own.
 *
 * @param addOnce Gets the animal that its key belongs to, if there is one, and a function that stores the new one.
 */
function remembering(
  addOnce: (newPet: NewPet, known: Pet | undefined, create: () => Promise<PetCreation>, pets: Pets) => unknown,
): () => PetCatalogue {
  return vary((sound) => {
    const pets: Pets = new Map();
    return {
      addOnce: async (newPet, key) => {
        const create = async (): Promise<PetCreation> => {
          const pet = await sound.add(newPet);
          pets.set(key, pet);
          return { pet, replayed: false };
        };
        return addOnce(newPet, pets.get(key), create, pets);
      },
    };
  });
}

type Pets = Map<string, Pet>;

/** Makes catalogues that treat animals as the same if they are after `change`. */
function comparing(change: (newPet: NewPet) => NewPet): () => PetCatalogue {
  return remembering((newPet, pet, create) =>
    pet === undefined ? create() : { ...replayCreation(makePet(pet.id, change(pet)), change(newPet)), pet },
  );
}

/** Makes catalogues whose concurrent calls of `addOnce` with a key get an answer from the creation of the first call. */
function joining(answer: (first: PetCreation) => PetCreation): () => PetCatalogue {
  return vary((sound) => {
    const creating = new Map<string, Promise<PetCreation>>();
    return {
      addOnce: async (newPet, key) => {
        const first = creating.get(key);
        if (first !== undefined) return answer(await first);
        const creation = setImmediate().then(() => sound.addOnce(newPet, key));
        creating.set(key, creation);
        return creation.finally(() => creating.delete(key));
      },
    };
  });
}

function reused(what = ''): AnimalStoreError {
  return new AnimalStoreError('idempotency_key_reused', `the key belongs to another animal${what}`);
}

/** Catalogues that store twice what they should store once, or mistake one creation for another. */
export const brokenAddOnces: Broken<() => PetCatalogue> = {
  'addOnce stores the animal as add does, and resolves to it': {
    'stores less once than it otherwise stores': around('addOnce', (addOnce, { name, categoryId }, key) =>
      addOnce({ name, categoryId }, key),
    ),
    'remembers that an id is free until it adds an animal by add': vary((sound) => {
      const free = new Set<bigint>();
      return {
        add: async (newPet) => {
          free.clear();
          return sound.add(newPet);
        },
        find: async (id) => {
          const pet = free.has(id) ? undefined : await sound.find(id);
          if (pet === undefined) free.add(id);
          return pet;
        },
      };
    }),
    'mistakes the first creation for a repeat': answering((creation) => ({ ...creation, replayed: true })),
  },
  'addOnce and add assign ids of one sequence, each greater than the previous ones': {
    'numbers what it stores once in another block': answering(({ pet, replayed }) => ({
      pet: makePet(pet.id + 1000n, pet),
      replayed,
    })),
  },
  'addOnce stores nothing on a repeat, and resolves to the first animal, whatever was stored meanwhile': {
    'stores an animal each time it is sent': remembering((_newPet, _known, create) => create()),
    'mistakes a repeat for the first creation': answering((creation) => ({ ...creation, replayed: false })),
    'refuses every animal of a known key, even the same one': remembering((_newPet, known, create) =>
      known === undefined ? create() : Promise.reject(reused()),
    ),
    'remembers only the newest creation': remembering((newPet, known, create, pets) => {
      if (known !== undefined) return replayCreation(known, newPet);
      pets.clear();
      return create();
    }),
    'repeats an animal with a status that is undefined': answering(({ pet, replayed }) => ({
      pet: replayed ? Object.freeze({ ...pet, status: pet.status }) : pet,
      replayed,
    })),
  },
  'addOnce stores one animal for concurrent calls, which all resolve to it once it is stored': {
    'tells all concurrent calls that they were the first': joining((first) => first),
    'looks for the key, and stores later': remembering(async (newPet, known, create) => {
      await setImmediate();
      return known === undefined ? create() : replayCreation(known, newPet);
    }),
    'resolves before it shows the animal': vary((sound) => {
      const shown = new Set<bigint>();
      return {
        addOnce: async (newPet, key) => {
          const creation = await sound.addOnce(newPet, key);
          void setImmediate().then(() => shown.add(creation.pet.id));
          return creation;
        },
        find: async (id) => (shown.has(id) ? sound.find(id) : undefined),
      };
    }),
  },
  'addOnce gives the key to one of two concurrent animals, and refuses the other': {
    'returns one of two concurrent animals for the other': joining(({ pet }) => ({ pet, replayed: true })),
  },
  'addOnce refuses the key of another animal, whichever member differs, and stores nothing': {
    'gives the key to the animal that it refuses': remembering(async (newPet, known, create) => {
      if (known === undefined || isSamePet(known, newPet)) return known ? { pet: known, replayed: true } : create();
      await create();
      throw reused();
    }),
    'refuses the key of another animal with the code of something else': vary((sound) => ({
      addOnce: (newPet, key) =>
        sound.addOnce(newPet, key).catch(() => Promise.reject(new AnimalStoreError('invalid_pet', 'refused'))),
    })),
    'does not compare names': comparing((newPet) => ({ ...newPet, name: 'Rex' })),
    'ignores the case of names': comparing((newPet) => ({ ...newPet, name: newPet.name.toLowerCase() })),
    'ignores the white space around names': comparing((newPet) => ({ ...newPet, name: newPet.name.trim() })),
    'does not compare categoryIds': comparing((newPet) => ({ ...newPet, categoryId: 0n })),
    'does not compare statuses': comparing(({ name, categoryId }) => ({ name, categoryId })),
    'treats a missing status as available': comparing(({ status = 'available', ...newPet }) => ({ ...newPet, status })),
  },
  'addOnce reveals nothing about the first animal if it refuses the key': {
    'reveals the animal that the key belongs to': remembering((_newPet, known, create) =>
      known === undefined ? create() : Promise.reject(reused(`, ${known.name}`)),
    ),
  },
  'addOnce compares keys code unit for code unit': {
    'ignores the case of keys': taking((key) => key.toLowerCase()),
    'ignores the white space around keys': taking((key) => key.trim()),
    'normalises keys': taking((key) => key.normalize()),
    'ignores the last code units of keys': taking((key) => key.slice(0, 1000)),
  },
  'add and addOnce store the animal of each other again': {
    'mistakes an animal of add for one of addOnce': vary((sound) => ({
      add: async (newPet) => (await allPetsOf(sound)).find((pet) => isSamePet(pet, newPet)) ?? sound.add(newPet),
    })),
  },
  'an animal of addOnce has no other member, neither key nor digest, and never changes': {
    'shows the key': answering(({ pet, ...rest }, key) => ({ pet: Object.freeze({ ...pet, key }), ...rest })),
    'shows the digest of the key': answering(({ pet, ...rest }, key) => ({
      pet: Object.freeze({ ...pet, idempotencyDigest: hash('sha256', key) }),
      ...rest,
    })),
    "compares with the caller's own object": vary((sound) => {
      const given = new Map<string, NewPet>();
      return {
        addOnce: async (newPet, key) => {
          const first = given.get(key);
          if (first !== undefined && first.name !== newPet.name) throw reused();
          given.set(key, newPet);
          return sound.addOnce(newPet, key);
        },
      };
    }),
    'returns an animal that can be changed': answering(({ pet, ...rest }) => ({ pet: { ...pet }, ...rest })),
  },
};
