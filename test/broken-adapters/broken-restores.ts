import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { INT64_MAX } from '../../src/domain/int64.js';
import type { PetCatalogue, PetRecord } from '../../src/domain/pet-catalogue.js';
import { isSamePet, makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { Broken } from './breaking.js';
import { allPetsOf, recordsOf, whole, without } from './broken-catalogue.js';

const { vary, around } = whole;

/** Makes catalogues that yield other records than they have. */
function yielding(change: (records: PetRecord[], after?: bigint) => unknown[]): () => PetCatalogue {
  return vary((sound) => ({
    async *records(after) {
      yield* change(await recordsOf(sound), after);
    },
  }));
}

/** Makes catalogues that restore something other than the given records, and say that they restored these. */
function restoring(change: (records: readonly PetRecord[]) => readonly PetRecord[]): () => PetCatalogue {
  return around('restore', async (restore, records) => {
    const { unchanged, conflicts } = await restore(change(records));
    return { restored: records.length - unchanged - conflicts.length, unchanged, conflicts };
  });
}

/** Makes catalogues that count some of the records that conflict with a stored one as unchanged. */
function forgiving(isEqual: (stored: PetRecord, record: PetRecord) => boolean): () => PetCatalogue {
  return vary((sound) => ({
    restore: async (records) => {
      const stored = new Map((await recordsOf(sound)).map((record) => [record.pet.id, record]));
      const result = await sound.restore(records);
      const conflicts = result.conflicts.filter((i) => {
        const record = records[i] as PetRecord;
        const known = stored.get(record.pet.id);
        return known === undefined || !isEqual(known, record);
      });
      return { ...result, unchanged: result.unchanged + result.conflicts.length - conflicts.length, conflicts };
    },
  }));
}

/** Makes catalogues that treat animals as the same if they are after `change`. */
function comparing(change: (pet: Pet) => NewPet): () => PetCatalogue {
  return forgiving((stored, record) => isSamePet(change(stored.pet), change(record.pet)));
}

/** Makes catalogues whose `addOnce` gets to know which digests were restored. */
function knowing(
  addOnce: (newPet: NewPet, key: string, restored: ReadonlyMap<string, Pet>, sound: Sound) => Promise<unknown>,
): () => PetCatalogue {
  return vary((sound) => {
    const restored = new Map<string, Pet>();
    return {
      restore: async (records) => {
        for (const { pet, once } of records) if (once !== undefined) restored.set(once, pet);
        return sound.restore(records);
      },
      addOnce: (newPet, key) => addOnce(newPet, key, restored, sound),
    };
  });
}

type Sound = Required<PetCatalogue>;

/** Assigns ids without regard to the restored animals, from 1 on. */
function numberingAnew(sound: Sound): (newPet: NewPet) => Promise<Pet> {
  let last = 0n;
  return async (newPet) => {
    do last++;
    while ((await sound.find(last)) !== undefined);
    const pet = makePet(last, newPet);
    await sound.restore([{ pet }]);
    return pet;
  };
}

const brokenRecords: Broken<() => PetCatalogue> = {
  'a catalogue has both records and restore, or neither': {
    'restores animals and yields none': vary(() => ({ records: undefined })),
    'yields animals and restores none': vary(() => ({ restore: undefined })),
  },
  'records yields nothing in an empty catalogue': {
    'begins with an animal of its own': yielding((records) => [
      { pet: { id: 0n, name: 'first', categoryId: 0n } },
      ...records,
    ]),
  },
  'records yields every animal by ascending id, without a digest if add stored it': {
    'yields the newest animal first': yielding((records) => records.reverse()),
    'has undefined for no digest': yielding((records) => records.map(({ pet, once }) => ({ pet, once }))),
    'makes a digest for each animal': yielding((records) =>
      records.map(({ pet, once = hash('sha256', `${pet.id}`) }) => ({ pet, once })),
    ),
  },
  'records yields only animals whose id is greater than after, any int64': {
    'ignores after': yielding((records) => records),
    'includes the animal named by after': yielding((records, after = 0n) =>
      records.filter(({ pet }) => pet.id >= after),
    ),
    'counts after in animals, not in ids': yielding((records, after = 0n) =>
      records.slice(after < 0n ? 0 : Number(after)),
    ),
  },
  'records yields more animals than one call restores': {
    'yields no more than 1,000 records': yielding((records) => records.slice(0, 1000)),
    'yields the last record of a batch twice': yielding((records) => [
      ...records.slice(0, 1000),
      ...records.slice(999),
    ]),
  },
  'records yields each animal once that was there before, while others are added': {
    'skips an animal for each one that is added meanwhile': vary((sound) => ({
      async *records() {
        for (let i = 0, all = await recordsOf(sound), count = all.length; i < all.length; i++) {
          yield all[i];
          all = await recordsOf(sound);
          if (all.length > count) i += all.length - count;
          count = all.length;
        }
      },
    })),
  },
  'records may be read several times at once, and left before the end': {
    'has one cursor for all readers': vary((sound) => {
      let cursor = 0;
      return {
        async *records() {
          const all = await recordsOf(sound);
          for (cursor = 0; cursor < all.length;) {
            yield all[cursor++];
            await setImmediate();
          }
        },
      };
    }),
  },
  'records has the SHA-256 of the idempotency key of each animal of addOnce': {
    'yields animals without their digests': yielding((records) => records.map(({ pet }) => ({ pet }))),
    'yields digests in upper case': yielding((records) =>
      records.map(({ pet, once }) => (once === undefined ? { pet } : { pet, once: once.toUpperCase() })),
    ),
    'makes the digest of a key in Latin-1': around('addOnce', (addOnce, newPet, key) =>
      addOnce(newPet, Buffer.from(key, 'latin1').toString('latin1')),
    ),
  },
};

/** Catalogues that ignore a member of the animals that they compare. */
const forgetful: Broken<() => PetCatalogue> = Object.fromEntries(
  PET_MEMBER_NAMES.map((member) => [
    `restore leaves an animal as it is if a record has its id and another animal: another ${member}`,
    { [`takes restored animals of any ${member} for the same`]: comparing((pet) => without(pet, member)) },
  ]),
);

/** Replays whatever creation it was asked to restore, for any animal. */
const believing = knowing(async (newPet, key, restored, sound) => {
  const pet = restored.get(hash('sha256', key));
  return pet === undefined ? sound.addOnce(newPet, key) : { pet, replayed: true };
});

/** Catalogues that lose, change or renumber what they restore. */
const careless: Broken<() => PetCatalogue> = {
  'restore stores animals under their own ids, digit for digit and code unit for code unit': {
    'assigns new ids to restored animals': vary((sound) => ({
      restore: async (records) => {
        for (const { pet } of records) await sound.add(pet);
        return { restored: records.length, unchanged: 0, conflicts: [] };
      },
    })),
    'restores integers as doubles': restoring((records) =>
      records.map(({ pet, ...once }) => ({
        pet: { ...pet, categoryId: BigInt.asIntN(64, BigInt(Number(pet.categoryId))) },
        ...once,
      })),
    ),
  },
  'restore makes animals that lists by status show': {
    'restores animals without their status': restoring((records) =>
      records.map(({ pet, ...once }) => ({ pet: { id: pet.id, ...without(pet, 'status') }, ...once })),
    ),
  },
  'restore stores animals between and before others': {
    'lists restored animals in the order in which they came': vary((sound) => {
      const inOrder: Pet[] = [];
      return {
        restore: async (records) => {
          for (const { pet } of records) inOrder.push(pet);
          return sound.restore(records);
        },
        async *records() {
          const records = await recordsOf(sound);
          yield* inOrder.map(({ id }) => records.find(({ pet }) => pet.id === id));
        },
      };
    }),
  },
  'restore stores as many animals as one call may pass': {
    'restores no more than 999 animals in one call': restoring((records) => records.slice(0, 999)),
  },
  'restore counts a record as unchanged if its animal is stored with its digest': {
    'counts what is there already as restored': around('restore', async (restore, records) => {
      const { restored, unchanged, conflicts } = await restore(records);
      return { restored: restored + unchanged, unchanged: 0, conflicts };
    }),
    'forgets the digests that it restores': restoring((records) => records.map(({ pet }) => ({ pet }))),
  },
  'restore counts a record as unchanged if add stored its animal': {
    'knows only the animals again that it restored itself': vary((sound) => {
      const known = new Set<bigint>();
      return {
        restore: async (records) => {
          const conflicts: number[] = [];
          for (const [i, { pet }] of records.entries()) {
            if (!known.has(pet.id) && (await sound.find(pet.id)) !== undefined) conflicts.push(i);
            known.add(pet.id);
          }
          const result = await sound.restore(records.filter((_, i) => !conflicts.includes(i)));
          return { ...result, conflicts: [...conflicts, ...result.conflicts] };
        },
      };
    }),
  },
  'restore counts a record without a digest as unchanged if its animal has one, which stays': {
    'takes a record without a digest for another one': vary((sound) => ({
      restore: async (records) => {
        const stored = new Map((await recordsOf(sound)).map(({ pet, once }) => [pet.id, once]));
        const result = await sound.restore(records);
        const isLess = ({ pet, once }: PetRecord): boolean => once === undefined && stored.get(pet.id) !== undefined;
        const conflicts = records.flatMap((record, i) => (isLess(record) ? [i] : []));
        return { ...result, unchanged: result.unchanged - conflicts.length, conflicts };
      },
    })),
  },
  'restore completes what was begun, wherever it was cut': {
    'leaves a batch out whose first animal is there': vary((sound) => ({
      restore: async (records) => {
        const [first, last] = await Promise.all(
          [records[0], records.at(-1)].map((each) => sound.find(each?.pet.id ?? 0n)),
        );
        return first !== undefined && last === undefined
          ? { restored: 0, unchanged: records.length, conflicts: [] }
          : sound.restore(records);
      },
    })),
  },
  'restore by concurrent calls with the same records stores each once': {
    'counts a record in each call that began before it was stored': vary((sound) => ({
      restore: async (records) => {
        const before = await Promise.all(records.map(({ pet }) => sound.find(pet.id)));
        await setImmediate();
        const { conflicts } = await sound.restore(records);
        const restored = before.filter((pet) => pet === undefined).length - conflicts.length;
        return { restored, unchanged: records.length - restored - conflicts.length, conflicts };
      },
    })),
  },
  'restore leaves an animal as it is if a record has its id and another animal: another name': {
    'takes restored animals with names in another case for the same': comparing((pet) => ({
      ...pet,
      name: pet.name.toLowerCase(),
    })),
  },
  'restore leaves an animal as it is if a record has its id and another animal: no status': {
    'takes restored animals without a status for the same': comparing(({ status = 'available', ...pet }) => ({
      ...pet,
      status,
    })),
  },
  'restore gives no digest to an animal that is stored without one': {
    'compares animals, not their digests': forgiving(({ pet }, record) => isSamePet(pet, record.pet)),
  },
  'restore leaves an animal its digest if a record has another one': {
    'takes any digest for that of the animal': forgiving(
      ({ pet, once }, record) => once !== undefined && isSamePet(pet, record.pet),
    ),
  },
  'restore stores no animal whose digest belongs to another id': {
    'restores an animal without its digest if another one has it': vary((sound) => ({
      restore: async (records) => {
        const taken = new Map((await recordsOf(sound)).map(({ pet, once }) => [once, pet.id]));
        return sound.restore(
          records.map(({ pet, once }) =>
            once === undefined || (taken.get(once) ?? pet.id) !== pet.id ? { pet } : { pet, once },
          ),
        );
      },
    })),
  },
  'restore says which records conflict, and stores the others': {
    'stores nothing of a call with a record that conflicts': vary((sound) => ({
      restore: async (records) => {
        const ids = new Set((await allPetsOf(sound)).map(({ id }) => id));
        const conflicts = records.flatMap(({ pet }, i) => (ids.has(pet.id) ? [i] : []));
        return conflicts.length > 1 ? { restored: 124, unchanged: 0, conflicts } : sound.restore(records);
      },
    })),
    'counts the indexes anew in each batch of fifty': around('restore', async (restore, records) => {
      const { conflicts, ...counts } = await restore(records);
      return { ...counts, conflicts: conflicts.map((i) => i % 50) };
    }),
  },
  'restore lets add assign only greater ids': {
    'assigns the free ids below restored ones': vary((sound) => ({ add: numberingAnew(sound) })),
  },
  'restore lets add reject if there is no greater id': {
    'begins again at 1 when its ids are used up': vary((sound) => ({
      add: async (newPet) =>
        (await sound.find(INT64_MAX)) === undefined ? sound.add(newPet) : numberingAnew(sound)(newPet),
    })),
  },
  'restore keeps no member beyond those of an animal, and an animal of it never changes': {
    "keeps the caller's own animals": vary((sound) => {
      const given = new Map<bigint, Pet>();
      return {
        restore: async (records) => {
          for (const { pet } of records) given.set(pet.id, pet);
          return sound.restore(records);
        },
        find: async (id) => given.get(id) ?? sound.find(id),
      };
    }),
  },
  'restore lets addOnce replay the creation of another catalogue, also by concurrent calls': {
    'keeps restored digests, and does not look for them': knowing(async (newPet, key, _restored, sound) =>
      sound.addOnce(newPet, `own ${key}`),
    ),
    'does not replay a creation while another call replays it': vary((sound) => {
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
  'restore lets addOnce refuse the key of a restored animal to another one': {
    'replays a restored creation for any animal': believing,
  },
  'restore lets addOnce store the same animal with another key, under a greater id': {
    'takes a digest for a key': knowing(async (newPet, key, restored, sound) => {
      const pet = restored.get(key);
      return pet === undefined ? sound.addOnce(newPet, key) : { pet, replayed: true };
    }),
    'assigns the free ids below restored ones to animals of addOnce': knowing(async (newPet, key, restored, sound) =>
      restored.has(hash('sha256', key))
        ? sound.addOnce(newPet, key)
        : { pet: await numberingAnew(sound)(newPet), replayed: false },
    ),
  },
  'a conflict leaves the key of its record to the animal that has it': {
    'gives the key to the animal of a record that conflicts': believing,
  },
};

export const brokenRestores = [brokenRecords, forgetful, careless];
