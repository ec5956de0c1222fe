import { setImmediate } from 'node:timers/promises';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { replayCreation, type PetCreation } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { allPetsOf, comparing, taking, varyOnce } from './broken-catalogue.js';
import { byFault } from './by-fault.js';

/** Makes catalogues whose `addOnce` answers something other than what it did. */
function answering(change: (creation: PetCreation, key: string) => PetCreation): () => PetCatalogue {
  return varyOnce((sound) => ({ addOnce: async (newPet, key) => change(await sound.addOnce(newPet, key), key) }));
}

/** Makes catalogues whose concurrent calls of `addOnce` with a key get an answer from the creation of the first call. */
function joining(answer: (first: PetCreation) => PetCreation): () => PetCatalogue {
  return varyOnce((sound) => {
    const creating = new Map<string, Promise<PetCreation>>();
    return {
      addOnce: async (newPet, key) => {
        const first = creating.get(key);
        if (first !== undefined) return answer(await first);
        const creation = setImmediate().then(async () => sound.addOnce(newPet, key));
        creating.set(key, creation);
        try {
          return await creation;
        } finally {
          creating.delete(key);
        }
      },
    };
  });
}

/** Catalogues that store twice what they should store once, or mistake one creation for another, by their fault. */
export const brokenAddOnces = byFault<() => PetCatalogue>({
  'addOnce stores the animal as add does, and resolves to it': {
    'stores less once than it otherwise stores': varyOnce((sound) => ({
      addOnce: async ({ name, categoryId }, key) => sound.addOnce({ name, categoryId }, key),
    })),
    'mistakes the first creation for a repeat': answering((creation) => ({ ...creation, replayed: true })),
  },
  'addOnce and add assign ids of one sequence, each greater than the previous ones': {
    'numbers what it stores once in another block': answering(({ pet, replayed }) => ({
      pet: Object.freeze({ ...pet, id: pet.id + 1000n }),
      replayed,
    })),
  },
  'addOnce stores nothing on a repeat, and resolves to the first animal': {
    'stores an animal each time it is sent': varyOnce((sound) => ({
      addOnce: async (newPet) => ({ pet: await sound.add(newPet), replayed: false }),
    })),
    'mistakes a repeat for the first creation': answering((creation) => ({ ...creation, replayed: false })),
    'refuses every animal of a known key, even the same one': varyOnce((sound) => {
      const seen = new Set<string>();
      return {
        addOnce: async (newPet, key) => {
          if (seen.has(key)) throw reused();
          seen.add(key);
          return sound.addOnce(newPet, key);
        },
      };
    }),
  },
  'addOnce resolves to the first animal after others were added': {
    'remembers only the newest creation': varyOnce((sound) => {
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
      pet: replayed ? (Object.freeze({ ...pet, status: pet.status }) as Pet) : pet,
      replayed,
    })),
  },
  'addOnce stores one animal for concurrent calls, and all resolve to it': {
    'looks for the key, and stores later': varyOnce((sound) => {
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
  'addOnce tells at most one of the concurrent calls that it was the first': {
    'tells all concurrent calls that they were the first': joining((first) => first),
  },
  'addOnce shows the animal as soon as any of the concurrent calls resolves': {
    'resolves to a repeat before the first creation has stored its animal': varyOnce((sound) => {
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
    'refuses both of two concurrent animals': varyOnce((sound) => {
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
    'reveals the animal that the key belongs to': varyOnce((sound) => {
      const pets = new Map<string, Pet>();
      return {
        addOnce: async (newPet, key) => {
          const pet = pets.get(key);
          if (pet !== undefined && pet.name !== newPet.name) throw reused(`, ${pet.name}`);
          const creation = await sound.addOnce(newPet, key);
          pets.set(key, creation.pet);
          return creation;
        },
      };
    }),
  },
  'addOnce resolves to the first animal after it has refused another one': {
    'gives the key to the animal that it refuses': varyOnce((sound) => {
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
  },
  'addOnce compares keys code unit for code unit': {
    'ignores the case of keys': taking((key) => key.toLowerCase()),
    'ignores the white space around keys': taking((key) => key.trim()),
    'normalises keys': taking((key) => key.normalize()),
    'ignores the last code units of keys': taking((key) => key.slice(0, 1000)),
  },
  'add stores the animal of an addOnce again': {
    'mistakes an animal of add for one of addOnce': varyOnce((sound) => ({
      add: async (newPet) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known ?? sound.add(newPet);
      },
    })),
  },
  'addOnce stores the animal of an add again': {
    'mistakes an animal of addOnce for one of add': varyOnce((sound) => ({
      addOnce: async (newPet, key) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known === undefined ? sound.addOnce(newPet, key) : { pet: known, replayed: true };
      },
    })),
  },
  'addOnce keeps no member beyond those of an animal, nor the key': {
    'shows the text': answering(({ pet, replayed }, key) => ({
      pet: Object.freeze({ ...pet, idempotencyKey: key }),
      replayed,
    })),
  },
  'addOnce is not affected by what the caller does to its object afterwards': {
    "compares with the caller's own object": varyOnce((sound) => {
      const sent = new Map<string, NewPet>();
      return {
        addOnce: async (newPet, key) => {
          const first = sent.get(key) ?? newPet;
          sent.set(key, first);
          if (first.name !== newPet.name) throw reused();
          return sound.addOnce(newPet, key);
        },
      };
    }),
  },
  'an animal of addOnce never changes once returned': {
    'returns an animal of addOnce that can be changed': answering(({ pet, replayed }) => ({
      pet: { ...pet },
      replayed,
    })),
  },
});

function reused(what = ''): AnimalStoreError {
  return new AnimalStoreError('idempotency_key_reused', `the key belongs to another animal${what}`);
}
