import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { INT64_MAX } from '../../src/domain/int64.js';
import type { PetCatalogue, PetRecord } from '../../src/domain/pet-catalogue.js';
import { isSamePet, makePet, PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import type { Broken } from './breaking.js';
import { recordsOf, whole, without } from './broken-catalogue.js';

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

/** Makes catalogues that judge otherwise whether a record conflicts with the one that is stored under its id. */
function judging(
  isConflict: (record: PetRecord, stored: PetRecord | undefined, isRight: boolean) => boolean,
): () => PetCatalogue {
  return vary((sound) => ({
    restore: async (records) => {
      const stored = new Map((await recordsOf(sound)).map((record) => [record.pet.id, record]));
      const { restored, conflicts } = await sound.restore(records);
      const judged = records.flatMap((record, i) =>
        isConflict(record, stored.get(record.pet.id), conflicts.includes(i)) ? [i] : [],
      );
      return { restored, unchanged: records.length - restored - judged.length, conflicts: judged };
    },
  }));
}

/** Makes catalogues that treat animals as the same if they are after `change`. */
function comparing(change: (pet: Pet) => NewPet): () => PetCatalogue {
  return judging(({ pet }, stored, isRight) => isRight && !(stored && isSamePet(change(stored.pet), change(pet))));
}

/** Makes catalogues that replay the creation of a restored digest if `digestOf` gives it for the key, for any animal. */
function believing(digestOf: (key: string) => string): () => PetCatalogue {
  return vary((sound) => {
    const restored = new Map<string | undefined, Pet>();
    return {
      restore: async (records) => {
        for (const { pet, idempotencyDigest } of records) restored.set(idempotencyDigest, pet);
        return sound.restore(records);
      },
      addOnce: async (newPet, key) => {
        const pet = restored.get(digestOf(key));
        return pet === undefined ? sound.addOnce(newPet, key) : { pet, replayed: true };
      },
    };
  });
}

/** Assigns ids without regard to the restored animals, from 1 on. */
function numberingAnew(sound: PetCatalogue): (newPet: NewPet) => Promise<Pet> {
  let last = 0n;
  return async (newPet) => {
    do last++;
    while ((await sound.find(last)) !== undefined);
    const pet = makePet(last, newPet);
    await sound.restore?.([{ pet }]);
    return pet;
  };
}

/** Catalogues that yield wrong records, or lose, change or renumber what they restore. */
export const brokenRestores: Broken<() => PetCatalogue> = {
  'records yields every animal by ascending id, without a digest if add stored it': {
    'begins with an animal of its own': yielding((records) => [
      { pet: { id: 0n, name: 'first', categoryId: 0n } },
      ...records,
    ]),
    'yields the newest animal first': yielding((records) => records.reverse()),
    'has undefined for no digest': yielding((records) =>
      records.map(({ pet, idempotencyDigest }) => ({ pet, idempotencyDigest })),
    ),
    'makes a digest for each animal': yielding((records) =>
      records.map(({ pet, idempotencyDigest = hash('sha256', `${pet.id}`) }) => ({ pet, idempotencyDigest })),
    ),
  },
  'records yields only animals whose id is greater than after, from 0 to INT64_MAX': {
    'ignores after': yielding((records) => records),
    'includes the animal named by after': yielding((records, after = 0n) =>
      records.filter(({ pet }) => pet.id >= after),
    ),
    'counts after in animals, not in ids': yielding((records, after = 0n) =>
      records.slice(after < 0n ? 0 : Number(after)),
    ),
  },
  'records yields each animal once that was there before, while others are added': {
    'skips an animal for each one that is added meanwhile': vary((sound) => ({
      async *records() {
        const { length } = await recordsOf(sound);
        for (let i = 0; i < length; i++) {
          const all = await recordsOf(sound);
          yield all[i + all.length - length];
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
      records.map(({ pet, idempotencyDigest }) => ({
        pet,
        ...(idempotencyDigest !== undefined && { idempotencyDigest: idempotencyDigest.toUpperCase() }),
      })),
    ),
    'makes the digest of a key in Latin-1': around('addOnce', (addOnce, newPet, key) =>
      addOnce(newPet, Buffer.from(key, 'latin1').toString('latin1')),
    ),
  },
  'restore stores animals under their own ids, digit for digit and code unit for code unit': {
    'keeps the pages that it had before it restored animals': vary((sound) => {
      const kept = new Map<bigint | undefined, unknown>();
      return {
        list: async (query) => {
          if (!kept.has(query.after)) kept.set(query.after, await sound.list(query));
          return kept.get(query.after);
        },
      };
    }),
    'assigns new ids to restored animals': vary((sound) => ({
      restore: async (records) => {
        for (const { pet } of records) await sound.add(pet);
        return { restored: records.length, unchanged: 0, conflicts: [] };
      },
    })),
    'restores integers as doubles': restoring((records) =>
      records.map(({ pet, ...digest }) => ({
        pet: { ...pet, categoryId: BigInt.asIntN(64, BigInt(Number(pet.categoryId))) },
        ...digest,
      })),
    ),
    'restores animals without their status': restoring((records) =>
      records.map(({ pet, ...digest }) => ({ pet: { id: pet.id, ...without(pet, 'status') }, ...digest })),
    ),
  },
  'restore stores animals before, between and behind others, as many as one call may pass': {
    'yields restored animals in the order in which they came': vary((sound) => {
      const inOrder: PetRecord[] = [];
      return {
        restore: async (records) => {
          inOrder.push(...records);
          return sound.restore(records);
        },
        async *records() {
          yield* inOrder;
        },
      };
    }),
    'forgets the digests that it restores': restoring((records) => records.map(({ pet }) => ({ pet }))),
    'restores no more than 999 animals in one call': restoring((records) => records.slice(0, 999)),
    'yields no more than 1,000 records': yielding((records) => records.slice(0, 1000)),
    'yields the last record of a batch twice': yielding((records) => [
      ...records.slice(0, 1000),
      ...records.slice(999),
    ]),
  },
  'restore counts a record as unchanged if its animal is stored, with the digest if it has one': {
    'counts what is there already as restored': around('restore', async (restore, records) => {
      const { restored, unchanged, conflicts } = await restore(records);
      return { restored: restored + unchanged, unchanged: 0, conflicts };
    }),
    'takes every animal of add for another one': judging(
      (_record, stored, isRight) => isRight || (stored !== undefined && stored.idempotencyDigest === undefined),
    ),
    'takes a record without a digest for another one': judging(
      ({ idempotencyDigest }, stored, isRight) =>
        isRight || (stored !== undefined && stored.idempotencyDigest !== idempotencyDigest),
    ),
  },
  'restore changes nothing if a record has a stored id and another animal, a conflict': {
    ...Object.fromEntries(
      PET_MEMBER_NAMES.map((member) => [
        `takes restored animals of any ${member} for the same`,
        comparing((pet) => without(pet, member)),
      ]),
    ),
    'ignores the case of restored names': comparing((pet) => ({ ...pet, name: pet.name.toLowerCase() })),
    'takes a missing status for available': comparing(({ status = 'available', ...pet }) => ({ ...pet, status })),
  },
  'restore changes nothing if a record has a stored animal or digest without the other, a conflict': {
    'compares animals, not their digests': comparing((pet) => pet),
    'restores an animal without its digest if another one has it': vary((sound) => ({
      restore: async (records) => {
        const taken = new Map(
          (await recordsOf(sound)).map(({ pet, idempotencyDigest }) => [idempotencyDigest, pet.id]),
        );
        return sound.restore(
          records.map(({ pet, idempotencyDigest }) =>
            idempotencyDigest === undefined || (taken.get(idempotencyDigest) ?? pet.id) !== pet.id
              ? { pet }
              : { pet, idempotencyDigest },
          ),
        );
      },
    })),
  },
  'restore stores the records that are missing, and names each that conflicts by its index': {
    'stops at the first conflict': vary((sound) => ({
      restore: async (records) => {
        const end = (await Promise.all(records.map(async ({ pet }) => sound.find(pet.id)))).findIndex(Boolean);
        return sound.restore(end < 0 ? records : records.slice(0, end + 1));
      },
    })),
    'counts the indexes anew in each batch of fifty': around('restore', async (restore, records) => {
      const { conflicts, ...counts } = await restore(records);
      return { ...counts, conflicts: conflicts.map((i) => i % 50) };
    }),
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
  'restore lets addOnce assign only greater ids': {
    'assigns the free ids below restored ones to animals of addOnce': vary((sound) => ({
      addOnce: async (newPet) => ({ pet: await numberingAnew(sound)(newPet), replayed: false }),
    })),
  },
  'restore lets add assign only greater ids, and reject if there is none': {
    'assigns the free ids below restored ones': vary((sound) => ({ add: numberingAnew(sound) })),
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
        find: async (id) => given.get(id),
      };
    }),
  },
  'restore lets addOnce replay the creation of another catalogue, also by concurrent calls': {
    'does not look for restored digests': around('addOnce', (addOnce, newPet, key) => addOnce(newPet, `own ${key}`)),
    'replays a restored creation for any animal': believing((key) => hash('sha256', key)),
    'takes a digest for a key': believing((key) => key),
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
  'a conflict leaves the key of its record to the animal that has it': {
    'gives the key to the animal of a record that conflicts': believing((key) => hash('sha256', key)),
  },
};
