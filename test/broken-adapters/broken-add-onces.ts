import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { replayCreation, type PetCreation } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { Broken } from './breaking.js';
import { around, petNamed, vary, without } from './broken-catalogue.js';

/** Makes catalogues whose `addOnce` answers something other than what it did. */
function answering(change: (creation: PetCreation, key: string) => object): () => PetCatalogue {
  return around('addOnce', async (addOnce, newPet, key) => change(await addOnce(newPet, key), key));
}

/** Makes catalogues that mistake an idempotency key for another one. */
function taking(change: (key: string) => string): () => PetCatalogue {
  return around('addOnce', (addOnce, newPet, key) => addOnce(newPet, change(key)));
}

/** Makes catalogues whose `addOnce` remembers the first animal that was sent with each key, and may look at it. */
function remembering(
  addOnce: (newPet: NewPet, first: NewPet | undefined, sound: () => Promise<PetCreation>) => Promise<unknown>,
): () => PetCatalogue {
  return vary((sound) => {
    const sent = new Map<string, NewPet>();
    return {
      addOnce: (newPet, key) => {
        const first = sent.get(key);
        sent.set(key, first ?? newPet);
        return addOnce(newPet, first, () => sound.addOnce(newPet, key));
      },
    };
  });
}

/** Makes catalogues that treat animals as the same if they are after `change`. */
function comparing(change: (newPet: NewPet) => NewPet): () => PetCatalogue {
  return vary((sound) => {
    const pets = new Map<string, Pet>();
    return {
      addOnce: async (newPet, key) => {
        const pet = pets.get(key);
        if (pet !== undefined) return { ...replayCreation(makePet(pet.id, change(pet)), change(newPet)), pet };
        const added = await sound.add(newPet);
        pets.set(key, added);
        return { pet: added, replayed: false };
      },
    };
  });
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

/** Creates an animal as if its key had never been used. */
async function anew(sound: PetCatalogue, newPet: NewPet): Promise<PetCreation> {
  return { pet: await sound.add(newPet), replayed: false };
}

function reused(what = ''): AnimalStoreError {
  return new AnimalStoreError('idempotency_key_reused', `the key belongs to another animal${what}`);
}

/** Catalogues that forget a member of the animals that they store once. */
const forgetful: Broken<() => PetCatalogue> = Object.fromEntries(
  PET_MEMBER_NAMES.map((member) => [
    `addOnce refuses the key of another animal, and stores nothing: another ${member}`,
    {
      [`forgets the ${member} of animals that it stores once`]: around('addOnce', (addOnce, newPet, key) =>
        addOnce(without(newPet, member), key),
      ),
    },
  ]),
);

/** Catalogues that store twice what they should store once, or mistake one creation for another. */
const careless: Broken<() => PetCatalogue> = {
  'addOnce stores the animal as add does, and resolves to it': {
    'stores less once than it otherwise stores': around('addOnce', (addOnce, { name, categoryId }, key) =>
      addOnce({ name, categoryId }, key),
    ),
    'mistakes the first creation for a repeat': answering((creation) => ({ ...creation, replayed: true })),
  },
  'addOnce and add assign ids of one sequence, each greater than the previous ones': {
    'numbers what it stores once in another block': answering(({ pet, replayed }) => ({
      pet: Object.freeze({ ...pet, id: pet.id + 1000n }),
      replayed,
    })),
  },
  'addOnce stores nothing on a repeat, and resolves to the first animal': {
    'stores an animal each time it is sent': vary((sound) => ({ addOnce: (newPet) => anew(sound, newPet) })),
    'mistakes a repeat for the first creation': answering((creation) => ({ ...creation, replayed: false })),
    'refuses every animal of a known key, even the same one': remembering(async (_newPet, first, addOnce) => {
      if (first !== undefined) throw reused();
      return addOnce();
    }),
  },
  'addOnce resolves to the first animal after others were added': {
    'remembers only the newest creation': vary((sound) => {
      let newest: { readonly key: string; readonly pet: Pet } | undefined;
      return {
        addOnce: async (newPet, key) => {
          if (newest?.key === key) return replayCreation(newest.pet, newPet);
          const pet = await sound.add(newPet);
          newest = { key, pet };
          return { pet, replayed: false };
        },
      };
    }),
  },
  'addOnce leaves the status out if there is none, on a repeat too': {
    'repeats an animal with a status that is undefined': answering(({ pet, replayed }) => ({
      pet: replayed ? Object.freeze({ ...pet, status: pet.status }) : pet,
      replayed,
    })),
  },
  'addOnce stores one animal for concurrent calls, and all resolve to it': {
    'tells all concurrent calls that they were the first': joining((first) => first),
    'looks for the key, and stores later': vary((sound) => {
      const pets = new Map<string, Pet>();
      return {
        addOnce: async (newPet, key) => {
          const known = pets.get(key);
          await setImmediate();
          if (known !== undefined) return replayCreation(known, newPet);
          const pet = await sound.add(newPet);
          pets.set(key, pet);
          return { pet, replayed: false };
        },
      };
    }),
  },
  'addOnce shows the animal as soon as any of the concurrent calls resolves': {
    'resolves to a repeat before the first creation has stored its animal': vary((sound) => {
      const adding = new Map<string, Promise<Pet>>();
      const stored: Pet[] = [];
      return {
        addOnce: async (newPet, key) => {
          const known = adding.get(key);
          if (known !== undefined) return replayCreation(await known, newPet);
          adding.set(key, sound.add(newPet));
          const pet = (await adding.get(key)) as Pet;
          await setImmediate();
          stored.push(pet);
          return { pet, replayed: false };
        },
        find: async (id) => stored.find((pet) => pet.id === id),
      };
    }),
  },
  'addOnce gives the key to one of two concurrent animals, and refuses the other': {
    'returns one of two concurrent animals for the other': joining(({ pet }) => ({ pet, replayed: true })),
    'refuses both of two concurrent animals': vary((sound) => {
      const claims = new Map<string, Set<NewPet>>();
      return {
        addOnce: async (newPet, key) => {
          const rivals = claims.get(key) ?? new Set();
          claims.set(key, rivals.add(newPet));
          await setImmediate();
          if (rivals.size > 1) throw reused();
          return sound.addOnce(newPet, key);
        },
      };
    }),
  },
  'addOnce refuses the key of another animal, and stores nothing: another name': {
    'gives the key to the animal that it refuses': vary((sound) => {
      const newest = new Map<string, NewPet>();
      return {
        addOnce: async (newPet, key) => {
          const before = newest.get(key);
          newest.set(key, newPet);
          if (before !== undefined && before.name !== newPet.name) throw reused();
          return sound.addOnce(newPet, key);
        },
      };
    }),
    'refuses the key of another animal with the code of something else': vary((sound) => ({
      addOnce: (newPet, key) =>
        sound.addOnce(newPet, key).catch(() => Promise.reject(new AnimalStoreError('invalid_pet', 'refused'))),
    })),
    'does not compare names': comparing((newPet) => ({ ...newPet, name: 'Rex' })),
    'ignores the case of names': comparing((newPet) => ({ ...newPet, name: newPet.name.toLowerCase() })),
    'ignores the white space around names': comparing((newPet) => ({ ...newPet, name: newPet.name.trim() })),
  },
  'addOnce refuses the key of another animal, and stores nothing: another categoryId': {
    'does not compare categoryIds': comparing((newPet) => ({ ...newPet, categoryId: 0n })),
  },
  'addOnce refuses the key of another animal, and stores nothing: another status': {
    'does not compare statuses': comparing(({ name, categoryId }) => ({ name, categoryId })),
  },
  'addOnce refuses the key of another animal, and stores nothing: no status': {
    'treats a missing status as available': comparing(({ status = 'available', ...newPet }) => ({ ...newPet, status })),
  },
  'addOnce reveals nothing about the first animal if it refuses the key': {
    'reveals the animal that the key belongs to': remembering(async (newPet, first, addOnce) => {
      if (first !== undefined && first.name !== newPet.name) throw reused(`, ${first.name}`);
      return addOnce();
    }),
  },
  'addOnce compares keys code unit for code unit': {
    'ignores the case of keys': taking((key) => key.toLowerCase()),
    'ignores the white space around keys': taking((key) => key.trim()),
    'normalises keys': taking((key) => key.normalize()),
    'ignores the last code units of keys': taking((key) => key.slice(0, 1000)),
  },
  'add and addOnce store the animal of each other again': {
    'mistakes an animal of addOnce for one of add': vary((sound) => ({
      addOnce: async (newPet, key) => {
        const known = await petNamed(sound, newPet.name);
        return known === undefined ? sound.addOnce(newPet, key) : { pet: known, replayed: true };
      },
    })),
    'mistakes an animal of add for one of addOnce': vary((sound) => ({
      add: async (newPet) => (await petNamed(sound, newPet.name)) ?? sound.add(newPet),
    })),
  },
  'addOnce keeps no member beyond those of an animal, nor the key or its digest': {
    'shows the key': answering(({ pet, replayed }, key) => ({
      pet: Object.freeze({ ...pet, idempotencyKey: key }),
      replayed,
    })),
    'shows the digest of the key': answering(({ pet, replayed }, key) => ({
      pet: Object.freeze({ ...pet, once: hash('sha256', key) }),
      replayed,
    })),
  },
  'addOnce is not affected by what the caller does to its object afterwards': {
    "compares with the caller's own object": remembering(async (newPet, first, addOnce) => {
      if (first !== undefined && first.name !== newPet.name) throw reused();
      return addOnce();
    }),
  },
  'an animal of addOnce never changes once returned': {
    'returns an animal of addOnce that can be changed': answering(({ pet, replayed }) => ({
      pet: { ...pet },
      replayed,
    })),
  },
};

export const brokenAddOnces = [forgetful, careless];
