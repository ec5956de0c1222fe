import { setImmediate } from 'node:timers/promises';
import { AnimalStoreError } from '../../src/domain/errors.js';
import { replayCreation, type PetCreation } from '../../src/domain/once.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { allPetsOf, comparing, taking, varyOnce, type BrokenCatalogue } from './broken-catalogue.js';

/** Catalogues that store twice what they should store once, or mistake one creation for another, by their fault. */
export const brokenAddOnces: Readonly<Record<string, BrokenCatalogue>> = {
  'stores less once than it otherwise stores': {
    create: varyOnce((sound) => ({
      addOnce: async ({ name, categoryId }, once) => sound.addOnce({ name, categoryId }, once),
    })),
    caughtBy: 'addOnce stores the animal as add does, and resolves to it',
  },
  'takes the first of its creations for a repeat': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => ({ ...(await sound.addOnce(newPet, once)), replayed: true }),
    })),
    caughtBy: 'addOnce stores the animal as add does, and resolves to it',
  },
  'numbers what it stores once in another block': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => {
        const { pet, replayed } = await sound.addOnce(newPet, once);
        return { pet: Object.freeze({ ...pet, id: pet.id + 1000n }), replayed };
      },
    })),
    caughtBy: 'addOnce and add take their ids in turn, each greater than those before',
  },
  'stores an animal each time that it is sent': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet) => ({ pet: await sound.add(newPet), replayed: false }),
    })),
    caughtBy: 'addOnce stores nothing again, and resolves to the first animal',
  },
  'takes a repeat for the first of its creations': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => ({ ...(await sound.addOnce(newPet, once)), replayed: false }),
    })),
    caughtBy: 'addOnce stores nothing again, and resolves to the first animal',
  },
  'refuses what was stored before, the same animal too': {
    create: varyOnce((sound) => {
      const seen = new Set<string>();
      return {
        addOnce: async (newPet, once) => {
          if (seen.has(once)) throw reused();
          seen.add(once);
          return sound.addOnce(newPet, once);
        },
      };
    }),
    caughtBy: 'addOnce stores nothing again, and resolves to the first animal',
  },
  'remembers the newest creation alone': {
    create: varyOnce((sound) => {
      let newest: { readonly once: string; readonly pet: Pet } | undefined;
      return {
        addOnce: async (newPet, once) => {
          if (newest?.once === once) return replayCreation(newest.pet, newPet);
          const pet = await sound.add(newPet);
          newest = { once, pet };
          return { pet, replayed: false };
        },
      };
    }),
    caughtBy: 'addOnce resolves to the first animal after others were added',
  },
  'repeats an animal with a status that is undefined': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => {
        const { pet, replayed } = await sound.addOnce(newPet, once);
        const repeated = Object.freeze({ ...pet, status: pet.status }) as Pet;
        return { pet: replayed ? repeated : pet, replayed };
      },
    })),
    caughtBy: 'addOnce leaves the status out if there is none, the second time too',
  },
  'looks for the text, and stores later': {
    create: varyOnce((sound) => {
      const pets = new Map<string, Pet>();
      return {
        addOnce: async (newPet, once) => {
          const known = pets.get(once);
          await setImmediate();
          if (known !== undefined) return replayCreation(known, newPet);
          const pet = await sound.add(newPet);
          pets.set(once, pet);
          return { pet, replayed: false };
        },
      };
    }),
    caughtBy: 'addOnce stores one animal between calls at once, and all resolve to it',
  },
  'tells all of the calls at once that they were the first': {
    create: varyOnce((sound) => {
      const creating = new Map<string, Promise<PetCreation>>();
      return {
        addOnce: async (newPet, once) => {
          const first = creating.get(once);
          if (first !== undefined) return first;
          const creation = setImmediate().then(async () => sound.addOnce(newPet, once));
          creating.set(once, creation);
          try {
            return await creation;
          } finally {
            creating.delete(once);
          }
        },
      };
    }),
    caughtBy: 'addOnce tells one of the calls at once at the most that it was the first',
  },
  'resolves to a repeat before the first creation has stored its animal': {
    create: varyOnce((sound) => {
      const adding = new Map<string, Promise<Pet>>();
      const stored: Pet[] = [];
      return {
        addOnce: async (newPet, once) => {
          const known = adding.get(once);
          if (known !== undefined) return replayCreation(await known, newPet);
          adding.set(once, sound.add(newPet));
          const pet = (await adding.get(once)) as Pet;
          await setImmediate();
          stored.push(pet);
          return { pet, replayed: false };
        },
        find: async (id) => stored.find((pet) => pet.id === id),
      };
    }),
    caughtBy: 'addOnce shows the animal as soon as any of the calls at once resolves',
  },
  'gives one of two animals at once for the other': {
    create: varyOnce((sound) => {
      const creating = new Map<string, Promise<PetCreation>>();
      return {
        addOnce: async (newPet, once) => {
          const first = creating.get(once);
          if (first !== undefined) return { pet: (await first).pet, replayed: true };
          const creation = setImmediate().then(async () => sound.addOnce(newPet, once));
          creating.set(once, creation);
          try {
            return await creation;
          } finally {
            creating.delete(once);
          }
        },
      };
    }),
    caughtBy: 'addOnce lets one of two animals at once have a text, and refuses the other',
  },
  'refuses both of two animals at once': {
    create: varyOnce((sound) => {
      const claims = new Map<string, Set<NewPet>>();
      return {
        addOnce: async (newPet, once) => {
          const rivals = claims.get(once) ?? new Set();
          claims.set(once, rivals.add(newPet));
          await setImmediate();
          if (rivals.size > 1) throw reused();
          return sound.addOnce(newPet, once);
        },
      };
    }),
    caughtBy: 'addOnce lets one of two animals at once have a text, and refuses the other',
  },
  'compares no names': {
    create: comparing((newPet) => ({ ...newPet, name: 'Rex' })),
    caughtBy: 'addOnce refuses the text of another animal, and stores nothing: another name',
  },
  'compares names in any case': {
    create: comparing((newPet) => ({ ...newPet, name: newPet.name.toLowerCase() })),
    caughtBy: 'addOnce refuses the text of another animal, and stores nothing: a name in another case',
  },
  'compares names without the white space around them': {
    create: comparing((newPet) => ({ ...newPet, name: newPet.name.trim() })),
    caughtBy: 'addOnce refuses the text of another animal, and stores nothing: a name with white space around it',
  },
  'compares no categoryIds': {
    create: comparing((newPet) => ({ ...newPet, categoryId: 0n })),
    caughtBy: 'addOnce refuses the text of another animal, and stores nothing: another categoryId',
  },
  'compares no status': {
    create: comparing(({ name, categoryId }) => ({ name, categoryId })),
    caughtBy: 'addOnce refuses the text of another animal, and stores nothing: another status',
  },
  'takes no status for the one that is available': {
    create: comparing(({ status = 'available', ...newPet }) => ({ ...newPet, status })),
    caughtBy: 'addOnce refuses the text of another animal, and stores nothing: no status',
  },
  'tells what the text stands for': {
    create: varyOnce((sound) => {
      const pets = new Map<string, Pet>();
      return {
        addOnce: async (newPet, once) => {
          const pet = pets.get(once);
          if (pet !== undefined && pet.name !== newPet.name) throw reused(`, ${pet.name}`);
          const creation = await sound.addOnce(newPet, once);
          pets.set(once, creation.pet);
          return creation;
        },
      };
    }),
    caughtBy: 'addOnce tells nothing of the first animal if it refuses the text',
  },
  'lets the animal that it refuses have the text': {
    create: varyOnce((sound) => {
      const newest = new Map<string, NewPet>();
      return {
        addOnce: async (newPet, once) => {
          const before = newest.get(once);
          newest.set(once, newPet);
          if (before !== undefined && before.name !== newPet.name) throw reused();
          return sound.addOnce(newPet, once);
        },
      };
    }),
    caughtBy: 'addOnce resolves to the first animal after it has refused another one',
  },
  'compares texts in any case': {
    create: taking((once) => once.toLowerCase()),
    caughtBy: 'addOnce tells texts apart code unit for code unit',
  },
  'compares texts without the white space around them': {
    create: taking((once) => once.trim()),
    caughtBy: 'addOnce tells texts apart code unit for code unit',
  },
  'compares texts in a normal form': {
    create: taking((once) => once.normalize()),
    caughtBy: 'addOnce tells texts apart code unit for code unit',
  },
  'compares texts but for their last code units': {
    create: taking((once) => once.slice(0, 1000)),
    caughtBy: 'addOnce tells texts apart code unit for code unit',
  },
  'takes an animal that it adds for one that it stored once': {
    create: varyOnce((sound) => ({
      add: async (newPet) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known ?? sound.add(newPet);
      },
    })),
    caughtBy: 'add stores the animal of an addOnce anew',
  },
  'takes an animal that it stores once for one that it added': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => {
        const known = (await allPetsOf(sound)).find(({ name }) => name === newPet.name);
        return known === undefined ? sound.addOnce(newPet, once) : { pet: known, replayed: true };
      },
    })),
    caughtBy: 'addOnce stores the animal of an add anew',
  },
  'shows the text': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => {
        const { pet, replayed } = await sound.addOnce(newPet, once);
        return { pet: Object.freeze({ ...pet, once }), replayed };
      },
    })),
    caughtBy: 'addOnce keeps no member beyond those of an animal, its text neither',
  },
  "compares with the caller's own object": {
    create: varyOnce((sound) => {
      const sent = new Map<string, NewPet>();
      return {
        addOnce: async (newPet, once) => {
          const first = sent.get(once) ?? newPet;
          sent.set(once, first);
          if (first.name !== newPet.name) throw reused();
          return sound.addOnce(newPet, once);
        },
      };
    }),
    caughtBy: 'addOnce is not affected by what the caller does to its object afterwards',
  },
  'returns an animal of addOnce that can be changed': {
    create: varyOnce((sound) => ({
      addOnce: async (newPet, once) => {
        const { pet, replayed } = await sound.addOnce(newPet, once);
        return { pet: { ...pet }, replayed };
      },
    })),
    caughtBy: 'an animal of addOnce never changes once returned',
  },
};

function reused(what = ''): AnimalStoreError {
  return new AnimalStoreError('once_key_reused', `once stands for another animal${what}`);
}
