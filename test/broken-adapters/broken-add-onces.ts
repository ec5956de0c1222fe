import { setImmediate } from 'node:timers/promises';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { replayCreation, type PetCreation } from '../../src/domain/idempotency-key.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { allPetsOf, comparing, taking, varyOnce, type BrokenCatalogue } from './broken-catalogue.js';

/** Catalogues that store twice what they should store once, or mistake one creation for another, by their fault. */
export const brokenAddOnces: Readonly<Record<string, BrokenCatalogue>> = {
  'stores less once than it otherwise stores': {
    create: varyOnce((sound) => ({
      addOnce: async ({ name, categoryId }, key) => sound.addOnce({ name, categoryId }, key),
    })),
    caughtBy: 'addOnce stores the animal as add does, and resolves to it',
  },
  'mistakes the first creation for a repeat': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => ({ ...(await sound.addOnce(newPet, key)), replayed: true }),
    })),
    caughtBy: 'addOnce stores the animal as add does, and resolves to it',
  },
  'numbers what it stores once in another block': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => {
        const { pet, replayed } = await sound.addOnce(newPet, key);
        return { pet: Object.freeze({ ...pet, id: pet.id + 1000n }), replayed };
      },
    })),
    caughtBy: 'addOnce and add assign ids of one sequence, each greater than the previous ones',
  },
  'stores an animal each time it is sent': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet) => ({ pet: await sound.add(newPet), replayed: false }),
    })),
    caughtBy: 'addOnce stores nothing on a repeat, and resolves to the first animal',
  },
  'mistakes a repeat for the first creation': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => ({ ...(await sound.addOnce(newPet, key)), replayed: false }),
    })),
    caughtBy: 'addOnce stores nothing on a repeat, and resolves to the first animal',
  },
  'refuses every animal of a known key, even the same one': {
    create: varyOnce((sound) => {
      const seen = new Set<string>();
      return {
        addOnce: async (newPet, key) => {
          if (seen.has(key)) throw reused();
          seen.add(key);
          return sound.addOnce(newPet, key);
        },
      };
    }),
    caughtBy: 'addOnce stores nothing on a repeat, and resolves to the first animal',
  },
  'remembers only the newest creation': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce resolves to the first animal after others were added',
  },
  'repeats an animal with a status that is undefined': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => {
        const { pet, replayed } = await sound.addOnce(newPet, key);
        const repeated = Object.freeze({ ...pet, status: pet.status }) as Pet;
        return { pet: replayed ? repeated : pet, replayed };
      },
    })),
    caughtBy: 'addOnce leaves the status out if there is none, on a repeat too',
  },
  'looks for the key, and stores later': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce stores one animal for concurrent calls, and all resolve to it',
  },
  'tells all concurrent calls that they were the first': {
    create: varyOnce((sound) => {
      const creating = new Map<string, Promise<PetCreation>>();
      return {
        addOnce: async (newPet, key) => {
          const first = creating.get(key);
          if (first !== undefined) return first;
          const creation = setImmediate().then(async () => sound.addOnce(newPet, key));
          creating.set(key, creation);
          try {
            return await creation;
          } finally {
            creating.delete(key);
          }
        },
      };
    }),
    caughtBy: 'addOnce tells at most one of the concurrent calls that it was the first',
  },
  'resolves to a repeat before the first creation has stored its animal': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce shows the animal as soon as any of the concurrent calls resolves',
  },
  'returns one of two concurrent animals for the other': {
    create: varyOnce((sound) => {
      const creating = new Map<string, Promise<PetCreation>>();
      return {
        addOnce: async (newPet, key) => {
          const first = creating.get(key);
          if (first !== undefined) return { pet: (await first).pet, replayed: true };
          const creation = setImmediate().then(async () => sound.addOnce(newPet, key));
          creating.set(key, creation);
          try {
            return await creation;
          } finally {
            creating.delete(key);
          }
        },
      };
    }),
    caughtBy: 'addOnce gives the key to one of two concurrent animals, and refuses the other',
  },
  'refuses both of two concurrent animals': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce gives the key to one of two concurrent animals, and refuses the other',
  },
  'does not compare names': {
    create: comparing((newPet) => ({ ...newPet, name: 'Rex' })),
    caughtBy: 'addOnce refuses the key of another animal, and stores nothing: another name',
  },
  'ignores the case of names': {
    create: comparing((newPet) => ({ ...newPet, name: newPet.name.toLowerCase() })),
    caughtBy: 'addOnce refuses the key of another animal, and stores nothing: another name',
  },
  'ignores the white space around names': {
    create: comparing((newPet) => ({ ...newPet, name: newPet.name.trim() })),
    caughtBy: 'addOnce refuses the key of another animal, and stores nothing: another name',
  },
  'does not compare categoryIds': {
    create: comparing((newPet) => ({ ...newPet, categoryId: 0n })),
    caughtBy: 'addOnce refuses the key of another animal, and stores nothing: another categoryId',
  },
  'does not compare statuses': {
    create: comparing(({ name, categoryId }) => ({ name, categoryId })),
    caughtBy: 'addOnce refuses the key of another animal, and stores nothing: another status',
  },
  'treats a missing status as available': {
    create: comparing(({ status = 'available', ...newPet }) => ({ ...newPet, status })),
    caughtBy: 'addOnce refuses the key of another animal, and stores nothing: no status',
  },
  'reveals the animal that the key belongs to': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce reveals nothing about the first animal if it refuses the key',
  },
  'gives the key to the animal that it refuses': {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce resolves to the first animal after it has refused another one',
  },
  'ignores the case of keys': {
    create: taking((key) => key.toLowerCase()),
    caughtBy: 'addOnce compares keys code unit for code unit',
  },
  'ignores the white space around keys': {
    create: taking((key) => key.trim()),
    caughtBy: 'addOnce compares keys code unit for code unit',
  },
  'normalises keys': {
    create: taking((key) => key.normalize()),
    caughtBy: 'addOnce compares keys code unit for code unit',
  },
  'ignores the last code units of keys': {
    create: taking((key) => key.slice(0, 1000)),
    caughtBy: 'addOnce compares keys code unit for code unit',
  },
  'mistakes an animal of add for one of addOnce': {
    create: varyOnce((sound) => ({
      add: async (newPet) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known ?? sound.add(newPet);
      },
    })),
    caughtBy: 'add stores the animal of an addOnce again',
  },
  'mistakes an animal of addOnce for one of add': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known === undefined ? sound.addOnce(newPet, key) : { pet: known, replayed: true };
      },
    })),
    caughtBy: 'addOnce stores the animal of an add again',
  },
  'shows the text': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => {
        const { pet, replayed } = await sound.addOnce(newPet, key);
        return { pet: Object.freeze({ ...pet, idempotencyKey: key }), replayed };
      },
    })),
    caughtBy: 'addOnce keeps no member beyond those of an animal, nor the key',
  },
  "compares with the caller's own object": {
    create: varyOnce((sound) => {
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
    caughtBy: 'addOnce is not affected by what the caller does to its object afterwards',
  },
  'returns an animal of addOnce that can be changed': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, key) => {
        const { pet, replayed } = await sound.addOnce(newPet, key);
        return { pet: { ...pet }, replayed };
      },
    })),
    caughtBy: 'an animal of addOnce never changes once returned',
  },
};

function reused(what = ''): AnimalStoreError {
  return new AnimalStoreError('idempotency_key_reused', `the key belongs to another animal${what}`);
}
