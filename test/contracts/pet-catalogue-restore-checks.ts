import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { BATCH_MAX, type PetCatalogue, type PetRecord } from '../../src/domain/pet-catalogue.js';
import { PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import { assertReused } from './pet-catalogue-add-once-checks.js';
import { OPTIONAL_MEMBERS, REX, rexesWith, rexWithout } from './pet-samples.js';
import { petsOf } from './pets-of.js';
import { whereItHas, type Checks } from './test-runner.js';

/** A catalogue whose animals can be moved. */
type TransferCatalogue = PetCatalogue & Required<Pick<PetCatalogue, 'records' | 'restore'>>;

/** Animals that differ from {@link REX} in one member each. */
const OTHERS: Readonly<Record<string, NewPet>> = Object.fromEntries([
  ...PET_MEMBER_NAMES.map((member) => [`another ${member}`, rexesWith(member)[1]?.[1]]),
  ...OPTIONAL_MEMBERS.map((member) => [`no ${member}`, rexWithout(member)]),
]);

/** Records as different as they can be, with gaps between their ids. Two have a digest. */
const HERD: readonly PetRecord[] = [
  { pet: { id: 1n, ...REX } },
  { pet: { id: 3n, name: ' \u00e9e\u0301😀"\\\u0001\ufeff', categoryId: INT64_MIN }, once: hash('sha256', 'key 3') },
  { pet: { id: 4n, name: 'x'.repeat(1024), categoryId: INT64_MAX, status: 'sold' } },
  {
    pet: { id: 9007199254740993n, name: 'Tom', categoryId: 9007199254740993n, status: 'pending' },
    once: hash('sha256', 'key \u00e9😀'),
  },
];
const HERD_PETS = HERD.map(({ pet }) => pet);

/** Records of many animals, from an id on. Each has the digest of a key of its own. */
function recordsFrom(first: number, count: number): PetRecord[] {
  return Array.from({ length: count }, (_, i) => recordOf(first + i, { name: `pet ${first + i}`, categoryId: 1n }));
}

/** The record of an animal whose key is `key <id>`. */
function recordOf(id: number, newPet: NewPet = REX): PetRecord {
  return { pet: { id: BigInt(id), ...newPet }, once: hash('sha256', `key ${id}`) };
}

/** Every record of a catalogue. */
async function recordsOf(catalogue: TransferCatalogue, after?: bigint): Promise<PetRecord[]> {
  const records: PetRecord[] = [];
  for await (const record of catalogue.records(after)) {
    records.push(record);
    assert.ok(records.length <= 2 * BATCH_MAX, 'the records do not end');
  }
  return records;
}

/** Restores records of which every one must be new. */
async function restoreNew(catalogue: TransferCatalogue, records: readonly PetRecord[]): Promise<void> {
  assert.deepEqual(await catalogue.restore(records), { restored: records.length, unchanged: 0, conflicts: [] });
}

/** Asserts that restoring a record is a conflict, and changes nothing. */
async function assertConflict(catalogue: TransferCatalogue, record: PetRecord): Promise<void> {
  const before = await recordsOf(catalogue);
  assert.deepEqual(await catalogue.restore([record]), { restored: 0, unchanged: 0, conflicts: [0] });
  assert.deepEqual(await recordsOf(catalogue), before);
}

const recordChecks: Checks<TransferCatalogue> = {
  'records yields nothing in an empty catalogue': async (catalogue) => {
    assert.deepEqual(await recordsOf(catalogue), []);
  },

  'records yields every animal by ascending id, without a digest if add stored it': async (catalogue) => {
    const pets = await Promise.all(Array.from({ length: 30 }, async () => catalogue.add(REX)));
    const byId = pets.sort((one, other) => (one.id < other.id ? -1 : 1));
    assert.deepEqual(
      await recordsOf(catalogue),
      byId.map((pet) => ({ pet })),
    );
  },

  'records yields only animals whose id is greater than after, any int64': async (catalogue) => {
    await restoreNew(catalogue, HERD);
    const afters = [INT64_MIN, 0n, 1n, 2n, 3n, 4n, 9007199254740992n, 9007199254740993n, INT64_MAX];
    for (const after of afters) {
      const expected = HERD.filter(({ pet }) => pet.id > after);
      assert.deepEqual(await recordsOf(catalogue, after), expected, `after ${after}`);
    }
  },

  'records yields more animals than one call restores': async (catalogue) => {
    const records = recordsFrom(1, BATCH_MAX + 300);
    await restoreNew(catalogue, records.slice(0, BATCH_MAX));
    await restoreNew(catalogue, records.slice(BATCH_MAX));
    assert.deepEqual(await recordsOf(catalogue), records);
    assert.deepEqual(await recordsOf(catalogue, 99n), records.slice(99));
  },

  'records yields each animal once that was there before, while others are added': async (catalogue) => {
    const before = recordsFrom(1, 250);
    await restoreNew(catalogue, before);
    const seen: PetRecord[] = [];
    for await (const record of catalogue.records()) {
      seen.push(record);
      if (seen.length % 50 === 0 && seen.length <= 250) await catalogue.add(REX);
    }
    assert.deepEqual(seen.slice(0, 250), before);
    for (const [i, { pet }] of seen.entries()) assert.ok(i === 0 || pet.id > (seen[i - 1] as PetRecord).pet.id);
  },

  'records may be read several times at once, and left before the end': async (catalogue) => {
    await restoreNew(catalogue, HERD);
    const first = async (): Promise<unknown> => {
      for await (const record of catalogue.records()) return record;
      return undefined;
    };
    const all = await Promise.all([first(), recordsOf(catalogue), first(), recordsOf(catalogue)]);
    assert.deepEqual(all, [HERD[0], HERD, HERD[0], HERD]);
  },
};

const restoreChecksOfAll: Checks<TransferCatalogue> = {
  'restore stores animals under their own ids, digit for digit and code unit for code unit': async (catalogue) => {
    await restoreNew(catalogue, HERD);
    assert.deepEqual(await petsOf(catalogue), HERD_PETS);
    for (const pet of HERD_PETS) assert.deepEqual(await catalogue.find(pet.id), pet);
    for (const id of [0n, 2n, 5n, 9007199254740992n, INT64_MAX]) assert.equal(await catalogue.find(id), undefined);
  },

  'restore makes animals that lists by status show': async (catalogue) => {
    await restoreNew(catalogue, HERD);
    for (const status of ['available', 'pending', 'sold'] as const) {
      const expected = HERD_PETS.filter((pet) => pet.status === status);
      assert.deepEqual((await catalogue.list({ limit: 100, status })).pets, expected);
    }
  },

  'restore stores animals between and before others': async (catalogue) => {
    const [early, late] = [recordsFrom(50, 2), [...recordsFrom(1, 2), ...recordsFrom(200, 2)]];
    for (const records of [recordsFrom(100, 3), early, late]) await restoreNew(catalogue, records);
    const all = [...late.slice(0, 2), ...early, ...recordsFrom(100, 3), ...late.slice(2)];
    assert.deepEqual(await recordsOf(catalogue), all);
    for (const { pet } of all) assert.deepEqual(await catalogue.find(pet.id), pet);
    assert.equal(await catalogue.find(3n), undefined);
  },

  'restore stores as many animals as one call may pass': async (catalogue) => {
    const records = recordsFrom(1, BATCH_MAX);
    await restoreNew(catalogue, records);
    assert.deepEqual(await recordsOf(catalogue), records);
  },

  'restore counts a record as unchanged if its animal is stored with its digest': async (catalogue) => {
    await restoreNew(catalogue, HERD);
    assert.deepEqual(await catalogue.restore(HERD), { restored: 0, unchanged: HERD.length, conflicts: [] });
    assert.deepEqual(await recordsOf(catalogue), HERD);
  },

  'restore counts a record as unchanged if add stored its animal': async (catalogue) => {
    const pet = await catalogue.add(REX);
    const again = [{ pet: { ...REX, id: pet.id } }];
    assert.deepEqual(await catalogue.restore(again), { restored: 0, unchanged: 1, conflicts: [] });
    assert.deepEqual(await recordsOf(catalogue), [{ pet }]);
  },

  'restore counts a record without a digest as unchanged if its animal has one, which stays': async (catalogue) => {
    await restoreNew(catalogue, [recordOf(5)]);
    const { pet } = recordOf(5);
    assert.deepEqual(await catalogue.restore([{ pet }]), { restored: 0, unchanged: 1, conflicts: [] });
    assert.deepEqual(await recordsOf(catalogue), [recordOf(5)]);
  },

  'restore completes what was begun, wherever it was cut': async (catalogue) => {
    const records = recordsFrom(1, 260);
    for (const [start, end] of [
      [0, 49],
      [75, 151],
      [200, 201],
    ] as const) {
      await restoreNew(catalogue, records.slice(start, end));
    }
    assert.deepEqual(await catalogue.restore(records), { restored: 134, unchanged: 126, conflicts: [] });
    assert.deepEqual(await recordsOf(catalogue), records);
  },

  'restore by concurrent calls with the same records stores each once': async (catalogue) => {
    const records = recordsFrom(1, 130);
    const calls = await Promise.all(Array.from({ length: 4 }, async () => catalogue.restore(records)));
    const restored = calls.reduce((sum, call) => sum + call.restored, 0);
    assert.equal(restored, records.length, 'restored by all calls together');
    for (const call of calls) assert.deepEqual(call, { ...call, unchanged: 130 - call.restored, conflicts: [] });
    assert.deepEqual(await recordsOf(catalogue), records);
  },

  ...Object.fromEntries(
    Object.entries(OTHERS).map(([what, other]) => [
      `restore leaves an animal as it is if a record has its id and another animal: ${what}`,
      async (catalogue: TransferCatalogue) => {
        await restoreNew(catalogue, [{ pet: { id: 5n, ...REX } }]);
        await assertConflict(catalogue, { pet: { id: 5n, ...other } });
      },
    ]),
  ),

  'restore gives no digest to an animal that is stored without one': async (catalogue) => {
    await restoreNew(catalogue, [{ pet: { id: 5n, ...REX } }]);
    await assertConflict(catalogue, recordOf(5));
  },

  'restore leaves an animal its digest if a record has another one': async (catalogue) => {
    await restoreNew(catalogue, [recordOf(5)]);
    await assertConflict(catalogue, { ...recordOf(5), once: hash('sha256', 'another key') });
  },

  'restore stores no animal whose digest belongs to another id': async (catalogue) => {
    await restoreNew(catalogue, [recordOf(5)]);
    for (const id of [4n, 6n]) await assertConflict(catalogue, { ...recordOf(5), pet: { id, ...REX } });
  },

  'restore says which records conflict, and stores the others': async (catalogue) => {
    const records = recordsFrom(1, 130);
    const taken = [0, 49, 50, 99, 120, 129];
    const stored = (i: number): PetRecord => {
      if (i < 50) return { pet: { ...REX, id: BigInt(i + 1) } };
      return i < 120
        ? { pet: (records[i] as PetRecord).pet }
        : { ...recordOf(1000 + i), once: hash('sha256', `key ${i + 1}`) };
    };
    await restoreNew(catalogue, taken.map(stored));
    assert.deepEqual(await catalogue.restore(records), { restored: 124, unchanged: 0, conflicts: taken });
    const all = [...records.filter((_, i) => !taken.includes(i)), ...taken.map(stored)];
    assert.deepEqual(
      await recordsOf(catalogue),
      all.sort((one, other) => (one.pet.id < other.pet.id ? -1 : 1)),
    );
  },

  'restore lets add assign only greater ids': async (catalogue) => {
    await restoreNew(catalogue, recordsFrom(1, 10));
    let before = 10n;
    for (let i = 0; i < 3; i++) {
      const { id } = await catalogue.add(REX);
      assert.ok(id > before, `${id} follows ${before}`);
      before = id;
    }
    await restoreNew(catalogue, [{ pet: { id: before + 5000n, ...REX } }]);
    const { id } = await catalogue.add(REX);
    assert.ok(id > before + 5000n, `${id} follows ${before + 5000n}`);
    assert.deepEqual(await catalogue.find(id), { id, ...REX });
  },

  'restore lets add reject if there is no greater id': async (catalogue) => {
    await restoreNew(catalogue, [{ pet: { id: INT64_MAX, ...REX } }]);
    await assert.rejects(catalogue.add(REX));
    assert.deepEqual(await petsOf(catalogue), [{ id: INT64_MAX, ...REX }]);
  },

  'restore keeps no member beyond those of an animal, and an animal of it never changes': async (catalogue) => {
    const mine = { id: 1n, ...REX, colour: 'brown' };
    await restoreNew(catalogue, [{ pet: mine }]);
    mine.name = 'changed';
    const [record] = await recordsOf(catalogue);
    for (const pet of [await catalogue.find(1n), ...(await petsOf(catalogue)), record?.pet]) {
      assert.deepEqual(pet, { id: 1n, ...REX });
      assert.equal(Reflect.set(pet, 'name', 'changed'), false, 'its name can be set');
    }
  },
};

const onceChecks: Checks<Required<PetCatalogue>> = {
  'records has the SHA-256 of the idempotency key of each animal of addOnce': async (catalogue) => {
    const keys = [...Array.from({ length: 30 }, (_, i) => `key ${i}`), '\u00e9', 'e\u0301', '😀', '__proto__'];
    const expected: PetRecord[] = [];
    for (const key of keys) {
      expected.push({ pet: (await catalogue.addOnce(REX, key)).pet, once: hash('sha256', key) });
    }
    await catalogue.addOnce(REX, 'key 0');
    assert.deepEqual(await recordsOf(catalogue), expected);
    assert.deepEqual(await catalogue.restore(expected), { restored: 0, unchanged: keys.length, conflicts: [] });
  },

  'restore lets addOnce replay the creation of another catalogue, also by concurrent calls': async (catalogue) => {
    await restoreNew(catalogue, recordsFrom(10, 3));
    for (const { pet } of recordsFrom(10, 3)) {
      const { id, ...newPet } = pet;
      const calls = Array.from({ length: 4 }, async () => catalogue.addOnce(newPet, `key ${id}`));
      for (const creation of await Promise.all(calls)) assert.deepEqual(creation, { pet, replayed: true });
    }
    assert.deepEqual(await recordsOf(catalogue), recordsFrom(10, 3));
  },

  'restore lets addOnce refuse the key of a restored animal to another one': async (catalogue) => {
    await restoreNew(catalogue, [recordOf(5)]);
    for (const [what, other] of Object.entries(OTHERS)) await assertReused(catalogue.addOnce(other, 'key 5'), what);
    assert.deepEqual(await recordsOf(catalogue), [recordOf(5)]);
  },

  'restore lets addOnce store the same animal with another key, under a greater id': async (catalogue) => {
    await restoreNew(catalogue, [recordOf(5000)]);
    for (const key of ['key 5001', hash('sha256', 'key 5000')]) {
      const { pet, replayed } = await catalogue.addOnce(REX, key);
      assert.equal(replayed, false);
      assert.ok(pet.id > 5000n, `${pet.id} follows 5000`);
    }
  },

  'a conflict leaves the key of its record to the animal that has it': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'mine');
    const other: Pet = { id: pet.id + 10n, ...REX };
    await assertConflict(catalogue, { pet: other, once: hash('sha256', 'mine') });
    await assertConflict(catalogue, { pet, once: hash('sha256', 'free') });
    assert.deepEqual(await catalogue.addOnce(REX, 'mine'), { pet, replayed: true });
    assert.equal((await catalogue.addOnce(REX, 'free')).replayed, false);
  },
};

/** The checks of `records` and `restore`. A catalogue without them passes. */
export const restoreChecks: Checks<PetCatalogue> = {
  'a catalogue has both records and restore, or neither': async (catalogue) =>
    assert.equal(typeof catalogue.records, typeof catalogue.restore),

  ...whereItHas({ ...recordChecks, ...restoreChecksOfAll }, hasRestore),
  ...whereItHas(onceChecks, (catalogue) => hasRestore(catalogue) && catalogue.addOnce !== undefined),
};

/** The check of a catalogue that must have `records` and `restore`. */
export const restoreCheck: Checks<PetCatalogue> = {
  'restore is implemented': async (catalogue) => assert.ok(hasRestore(catalogue), 'the catalogue has no restore'),
};

function hasRestore(catalogue: PetCatalogue): boolean {
  return catalogue.records !== undefined && catalogue.restore !== undefined;
}
