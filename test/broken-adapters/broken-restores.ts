import { setImmediate } from 'node:timers/promises';
import type { CreationRecord } from '../../src/domain/idempotency-key.js';
import { INT64_MAX } from '../../src/domain/int64.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { isSamePet, makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { Broken } from './breaking.js';
import { allPetsOf, whole, without } from './broken-catalogue.js';

const { vary, around } = whole;

/** Makes catalogues that restore something other than the given animals, and say that they restored these. */
function restoring(change: (pets: readonly Pet[]) => readonly Pet[]): () => PetCatalogue {
  return around('restore', async (restore, pets) => {
    const { present, refused } = await restore(change(pets));
    return { restored: pets.length - present - refused.length, present, refused };
  });
}

/** Makes catalogues that treat animals as the same if they are after `change`. */
function takingForSame(change: (pet: Pet) => NewPet): () => PetCatalogue {
  return vary((sound) => ({
    restore: async (pets) => {
      const stored = await Promise.all(pets.map(({ id }) => sound.find(id)));
      return sound.restore(
        pets.map((pet, i) => {
          const found = stored[i];
          return found !== undefined && isSamePet(change(found), change(pet)) ? found : pet;
        }),
      );
    },
  }));
}

/** Makes catalogues that list other creations than they remember. */
function giving(change: (creations: CreationRecord[]) => CreationRecord[]): () => PetCatalogue {
  return vary((sound) => ({
    async *listCreations() {
      const creations: CreationRecord[] = [];
      for await (const creation of sound.listCreations()) creations.push(creation);
      yield* change(creations);
    },
  }));
}

/** Makes catalogues that remember other creations than they are given, and say that they remember these. */
function remembering(change: (creations: readonly CreationRecord[]) => CreationRecord[]): () => PetCatalogue {
  return around('restoreCreations', async (restoreCreations, creations) => {
    const { present, refused } = await restoreCreations(change(creations));
    return { restored: creations.length - present - refused.length, present, refused };
  });
}

/** Assigns ids without regard to the restored animals, from 1 on. */
function numberingAnew(sound: Required<PetCatalogue>): (newPet: NewPet) => Promise<Pet> {
  let last = 0n;
  return async (newPet) => {
    do last++;
    while ((await sound.find(last)) !== undefined);
    const pet = makePet(last, newPet);
    await sound.restore([pet]);
    return pet;
  };
}

/** Catalogues that ignore a member of the animals that they compare. */
const forgetful: Broken<() => PetCatalogue> = Object.fromEntries(
  PET_MEMBER_NAMES.map((member) => [
    `restore refuses an animal whose id another one has, which stays as it is: another ${member}`,
    { [`takes restored animals of any ${member} for the same`]: takingForSame((pet) => without(pet, member)) },
  ]),
);

/** Catalogues that lose, change or renumber what they restore. */
const careless: Broken<() => PetCatalogue> = {
  'restore stores animals under their own ids, digit for digit and code unit for code unit': {
    'assigns new ids to restored animals': vary((sound) => ({
      restore: async (pets) => {
        for (const pet of pets) await sound.add(pet);
        return { restored: pets.length, present: 0, refused: [] };
      },
    })),
    'restores integers as doubles': restoring((pets) =>
      pets.map((pet) => ({ ...pet, categoryId: BigInt.asIntN(64, BigInt(Number(pet.categoryId))) })),
    ),
  },
  'restore makes animals that lists by status show': {
    'restores animals without their status': restoring((pets) =>
      pets.map(({ id, name, categoryId }) => ({ id, name, categoryId })),
    ),
  },
  'restore stores as many animals as one call may pass': {
    'restores no more than 999 animals in one call': restoring((pets) => pets.slice(0, 999)),
  },
  'restore leaves what is there already and equal as it is, and counts it': {
    'counts what is there already as restored': around('restore', async (restore, pets) => {
      const { restored, present, refused } = await restore(pets);
      return { restored: restored + present, present: 0, refused };
    }),
  },
  'restore takes an animal of add that has the same id for the same': {
    'knows only the animals again that it restored itself': vary((sound) => {
      const known = new Set<bigint>();
      return {
        restore: async (pets) => {
          const refused: number[] = [];
          for (const [i, { id }] of pets.entries())
            if (!known.has(id) && (await sound.find(id)) !== undefined) refused.push(i);
          for (const { id } of pets) known.add(id);
          const done = await sound.restore(pets.filter((_, i) => !refused.includes(i)));
          return { ...done, refused: [...refused, ...done.refused] };
        },
      };
    }),
  },
  'restore completes what was begun, wherever it was cut': {
    'leaves a batch out whose first animal is there': vary((sound) => ({
      restore: async (pets) => {
        const isThere = (await sound.find((pets[0] as Pet).id)) !== undefined;
        const isAll = isThere && (await sound.find((pets.at(-1) as Pet).id)) !== undefined;
        return isThere && !isAll && pets.length > 1
          ? { restored: 0, present: pets.length, refused: [] }
          : sound.restore(pets);
      },
    })),
  },
  'restore refuses an animal whose id another one has, which stays as it is: another name': {
    'takes restored animals with names in another case for the same': takingForSame((pet) => ({
      ...pet,
      name: pet.name.toLowerCase(),
    })),
  },
  'restore refuses an animal whose id another one has, which stays as it is: no status': {
    'takes restored animals without a status for the same': takingForSame(({ status = 'available', ...pet }) => ({
      ...pet,
      status,
    })),
  },
  'restore says which animals it refused, and stores the others': {
    'stores nothing of a batch with an animal that it refuses': vary((sound) => ({
      restore: async (pets) => {
        const stored = await Promise.all(pets.map(({ id }) => sound.find(id)));
        const refused = pets.flatMap((pet, i) => (isSamePet(stored[i] ?? pet, pet) ? [] : [i]));
        return refused.length > 0
          ? { restored: pets.length - refused.length, present: 0, refused }
          : sound.restore(pets);
      },
    })),
  },
  'restore lets add give only greater ids': {
    'gives the free ids below restored ones': vary((sound) => ({ add: numberingAnew(sound) })),
  },
  'restore lets add reject if there is no greater id': {
    'begins again at 1 when its ids are used up': vary((sound) => ({
      add: async (newPet) =>
        (await sound.find(INT64_MAX)) === undefined ? sound.add(newPet) : numberingAnew(sound)(newPet),
    })),
  },
  'restore stores animals between and before others': {
    'finds restored animals by where they were put': vary((sound) => {
      const inOrder: Pet[] = [];
      return {
        restore: async (pets) => {
          inOrder.push(...pets);
          return sound.restore(pets);
        },
        list: async (query) => {
          const isShuffled = inOrder.some(({ id }, i) => id < (inOrder[i - 1]?.id ?? 0n));
          return isShuffled && inOrder.length === 9 ? { pets: inOrder } : sound.list(query);
        },
      };
    }),
  },
  'restore keeps no member beyond those of an animal, and an animal of it never changes': {
    "keeps the caller's own animals": vary((sound) => {
      const given = new Map<bigint, Pet>();
      return {
        restore: async (pets) => {
          for (const pet of pets) given.set(pet.id, pet);
          return sound.restore(pets);
        },
        find: async (id) => given.get(id) ?? sound.find(id),
      };
    }),
  },
  'restore is there with listCreations and restoreCreations if addOnce is': {
    'restores animals and no creations': vary(() => ({ listCreations: undefined, restoreCreations: undefined })),
  },
  'listCreations gives none if there are none': {
    'takes every animal for one of a creation': vary((sound) => ({
      async *listCreations() {
        for (const { id } of await allPetsOf(sound))
          yield { sha256: id.toString(16).padStart(64, '0'), petId: id, at: new Date() };
      },
    })),
  },
  'listCreations gives each creation once, with its digest, its animal and its time': {
    'gives a page of its creations': giving((creations) => creations.slice(0, 10)),
    'gives a creation twice': giving((creations) => [...creations, ...creations.slice(0, 1)]),
    'gives the times of creations in seconds': giving((creations) =>
      creations.map((each) => ({ ...each, at: new Date(each.at.getTime() / 1000) })),
    ),
  },
  'restoreCreations lets addOnce repeat the creation of another catalogue': {
    'forgets restored creations': vary(() => ({
      restoreCreations: async (creations) => ({ restored: creations.length, present: 0, refused: [] }),
    })),
  },
  'restoreCreations lets concurrent calls of addOnce repeat it': {
    'repeats a restored creation once': vary((sound) => {
      const seen = new Set<string>();
      return {
        addOnce: async (newPet, key) => {
          const isFirst = !seen.has(key);
          seen.add(key);
          const creation = await sound.addOnce(newPet, key);
          if (isFirst || !creation.replayed || creation.pet.id < 10n) return creation;
          return { pet: await sound.add(newPet), replayed: false };
        },
      };
    }),
    'refuses a restored creation while another call repeats it': vary((sound) => {
      const busy = new Set<string>();
      return {
        addOnce: async (newPet, key) => {
          if (busy.has(key)) return { pet: await sound.add(newPet), replayed: false };
          busy.add(key);
          await setImmediate();
          return sound.addOnce(newPet, key).finally(() => busy.delete(key));
        },
      };
    }),
  },
  'restoreCreations lets addOnce refuse the key to another animal': {
    'gives the animal of a restored creation for any other': vary((sound) => ({
      addOnce: (newPet, key) =>
        sound
          .addOnce(newPet, key)
          .catch(async () => ({ pet: (await sound.list({ limit: 1 })).pets[0], replayed: true })),
    })),
  },
  'restoreCreations lets addOnce store what has another key': {
    'takes every key for a restored one': vary((sound) => {
      let restored: bigint | undefined;
      return {
        restoreCreations: async (creations) => {
          restored = creations[0]?.petId;
          return sound.restoreCreations(creations);
        },
        addOnce: async (newPet, key) => {
          const pet = restored === undefined ? undefined : await sound.find(restored);
          return pet === undefined ? sound.addOnce(newPet, key) : { pet, replayed: true };
        },
      };
    }),
  },
  'restoreCreations makes listCreations give them, with their times': {
    'restores creations as if they were made now': remembering((creations) =>
      creations.map((each) => ({ ...each, at: new Date() })),
    ),
  },
  'restoreCreations leaves what is remembered for the same animal as it is, and counts it': {
    'takes a creation that it remembers for another one': vary((sound) => {
      const known = new Set<string>();
      return {
        restoreCreations: async (creations) => {
          const refused = creations.flatMap(({ sha256 }, i) => (known.has(sha256) ? [i] : []));
          for (const { sha256 } of creations) known.add(sha256);
          const done = await sound.restoreCreations(creations.filter((_, i) => !refused.includes(i)));
          return { ...done, refused: [...refused, ...done.refused] };
        },
      };
    }),
  },
  'restoreCreations by concurrent calls with the same creations remembers each once': {
    'counts a creation in each call that began before it was remembered': vary((sound) => ({
      restoreCreations: async (creations) => {
        const known = new Set<string>();
        for await (const { sha256 } of sound.listCreations()) known.add(sha256);
        await setImmediate();
        const { refused } = await sound.restoreCreations(creations);
        const present = creations.filter(({ sha256 }) => known.has(sha256)).length;
        return { restored: creations.length - present - refused.length, present, refused };
      },
    })),
  },
  'restoreCreations refuses a key that belongs to another animal, and remembers the others': {
    'says nothing of the creations that it refuses': around('restoreCreations', async (restoreCreations, creations) => {
      const { restored } = await restoreCreations(creations);
      return { restored, present: creations.length - restored, refused: [] };
    }),
  },
  'restoreCreations refuses a creation without its animal, and remembers the others': {
    'remembers creations without their animals': around('restoreCreations', async (restoreCreations, creations) => {
      const { restored, present, refused } = await restoreCreations(creations);
      return { restored: restored + refused.length, present, refused: [] };
    }),
  },
  'restoreCreations says which of many creations it refused': {
    'counts the places of creations anew in each batch of fifty': around(
      'restoreCreations',
      async (restoreCreations, creations) => {
        const { refused, ...counts } = await restoreCreations(creations);
        return { ...counts, refused: refused.map((place) => place % 50) };
      },
    ),
  },
  'restoreCreations remembers as many creations as one call may pass': {
    'restores no more than 400 creations in one call': remembering((creations) => creations.slice(0, 400)),
  },
};

export const brokenRestores = [forgetful, careless];
