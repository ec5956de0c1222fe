import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { BATCH_MAX, type PetCatalogue, type PetRecord, type RestoreResult } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { assertFrozen, assertGreater, assertReused, needing, petsOf } from './pet-catalogue-subject.js';
import { OTHERS, REX } from './pet-samples.js';
import type { Checks } from './test-runner.js';

/** Records as different as they can be, with gaps between their ids. Two have a digest. */
const HERD: readonly PetRecord[] = [
  { pet: { id: 1n, ...REX } },
  {
    pet: { id: 3n, name: ' \u00e9e\u0301😀"\\\u0001\ufeff', categoryId: INT64_MIN },
    idempotencyDigest: hash('sha256', 'key 3'),
  },
  { pet: { id: 4n, name: 'x'.repeat(1024), categoryId: INT64_MAX, status: 'sold' } },
  {
    pet: { id: 9007199254740993n, name: 'Tom', categoryId: 9007199254740993n, status: 'pending' },
    idempotencyDigest: hash('sha256', 'key \u00e9😀'),
  },
];

/** Records of animals with consecutive ids. Each has the digest of a key of its own, `key <id>`. */
function recordsFrom(first: number, count: number): PetRecord[] {
  return Array.from({ length: count }, (_, i) => recordOf(first + i, { name: `pet ${first + i}`, categoryId: 1n }));
}

/** The record of an animal whose key is `key <id>`. */
function recordOf(id: number, newPet: NewPet = REX): PetRecord {
  return { pet: { id: BigInt(id), ...newPet }, idempotencyDigest: hash('sha256', `key ${id}`) };
}

/** Every record of a catalogue. */
async function recordsOf(catalogue: Required<PetCatalogue>, after?: bigint): Promise<PetRecord[]> {
  const records: PetRecord[] = [];
  for await (const record of catalogue.records(after)) {
    records.push(record);
    assert.ok(records.length <= 2 * BATCH_MAX, 'the records do not end');
  }
  return records;
}

/** Restores records of which every one must be new. */
async function restoreNew(catalogue: Required<PetCatalogue>, records: readonly PetRecord[]): Promise<void> {
  assert.deepEqual(await catalogue.restore(records), { restored: records.length, unchanged: 0, conflicts: [] });
}

/** Asserts that restoring a record changes nothing, and tells why: it is unchanged, or it conflicts. */
async function assertKept(
  catalogue: Required<PetCatalogue>,
  record: PetRecord,
  why: 'unchanged' | 'conflict',
  what = '',
): Promise<void> {
  const before = await recordsOf(catalogue);
  const result: RestoreResult =
    why === 'unchanged' ? { restored: 0, unchanged: 1, conflicts: [] } : { restored: 0, unchanged: 0, conflicts: [0] };
  assert.deepEqual(await catalogue.restore([record]), result, what);
  assert.deepEqual(await recordsOf(catalogue), before, what);
}

/** Asserts that animals that are created get greater ids than the animals that were restored before them. */
async function assertGreaterIds(
  catalogue: Required<PetCatalogue>,
  create: (key: string) => Promise<Pet>,
): Promise<void> {
  let before = 0n;
  for (const gap of [10n, 1n, 5000n]) {
    before += gap;
    await restoreNew(catalogue, [{ pet: { id: before, ...REX } }]);
    before = assertGreater(before, [(await create(`once ${gap}`)).id]);
  }
}

/** The checks of a catalogue that is to have `records` and `restore`. */
export const restoreChecks: Checks<PetCatalogue> = needing(['records', 'restore'], {
  'records yields every animal by ascending id, without a digest if add stored it': async (catalogue) => {
    assert.deepEqual(await recordsOf(catalogue), []);
    const pets = await Promise.all(Array.from({ length: 30 }, async () => catalogue.add(REX)));
    const byId = pets.sort((one, other) => (one.id < other.id ? -1 : 1));
    assert.deepEqual(
      await recordsOf(catalogue),
      byId.map((pet) => ({ pet })),
    );
  },

  'records yields only animals whose id is greater than after, from 0 to INT64_MAX': async (catalogue) => {
    await restoreNew(catalogue, HERD);
    for (const after of [0n, 1n, 2n, 3n, 4n, 9007199254740992n, 9007199254740993n, INT64_MAX]) {
      const expected = HERD.filter(({ pet }) => pet.id > after);
      assert.deepEqual(await recordsOf(catalogue, after), expected, `after ${after}`);
    }
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

  'restore stores animals under their own ids, digit for digit and code unit for code unit': async (catalogue) => {
    assert.deepEqual(await petsOf(catalogue), []);
    for (const { pet } of HERD) assert.equal(await catalogue.find(pet.id), undefined);
    await restoreNew(catalogue, HERD);
    const pets = HERD.map(({ pet }) => pet);
    assert.deepEqual(await petsOf(catalogue), pets);
    for (const pet of pets) assert.deepEqual(await catalogue.find(pet.id), pet);
    for (const id of [0n, 2n, 5n, 9007199254740992n, INT64_MAX]) assert.equal(await catalogue.find(id), undefined);
    for (const status of ['available', 'pending', 'sold'] as const) {
      const expected = pets.filter((pet) => pet.status === status);
      assert.deepEqual((await catalogue.list({ limit: 100, status })).pets, expected);
    }
  },

  'restore stores animals before, between and behind others, as many as one call may pass': async (catalogue) => {
    const all = recordsFrom(1, BATCH_MAX + 300);
    const [early, late] = [all.slice(0, 150), all.slice(250)];
    await restoreNew(catalogue, all.slice(200, 250));
    for (const records of [[...early, ...late.slice(0, 850)], late.slice(850), all.slice(150, 200)]) {
      await restoreNew(catalogue, records);
    }
    assert.deepEqual(await recordsOf(catalogue), all);
    assert.deepEqual(await recordsOf(catalogue, 99n), all.slice(99));
  },

  'restore counts a record as unchanged if its animal is stored, with the digest if it has one': async (catalogue) => {
    const pet = await catalogue.add(REX);
    await assertKept(catalogue, { pet: { ...REX, id: pet.id } }, 'unchanged', 'an animal of add');
    await restoreNew(catalogue, [recordOf(5)]);
    await assertKept(catalogue, recordOf(5), 'unchanged', 'an animal with its digest');
    await assertKept(catalogue, { pet: recordOf(5).pet }, 'unchanged', 'an animal without its digest');
  },

  'restore changes nothing if a record has a stored id and another animal, a conflict': async (catalogue) => {
    await restoreNew(catalogue, [{ pet: { id: 5n, ...REX } }]);
    for (const [what, other] of OTHERS) await assertKept(catalogue, { pet: { id: 5n, ...other } }, 'conflict', what);
  },

  'restore changes nothing if a record has a stored animal or digest without the other, a conflict': async (
    catalogue,
  ) => {
    await restoreNew(catalogue, [{ pet: { id: 4n, ...REX } }, recordOf(6)]);
    await assertKept(catalogue, recordOf(4), 'conflict', 'the animal has no digest');
    await assertKept(
      catalogue,
      { ...recordOf(6), idempotencyDigest: hash('sha256', 'another') },
      'conflict',
      'it has another one',
    );
    for (const id of [4n, 5n, 7n]) {
      await assertKept(catalogue, { ...recordOf(6), pet: { id, ...REX } }, 'conflict', `its digest, the id ${id}`);
    }
  },

  'restore stores the records that are missing, and names each that conflicts by its index': async (catalogue) => {
    const records = recordsFrom(1, 260);
    const taken = [0, 49, 50, 99, 120, 129, 259];
    const stored = records.flatMap((record, i) => {
      if (taken.includes(i)) return [{ pet: { ...REX, id: record.pet.id } }];
      return i % 3 === 0 ? [record] : [];
    });
    await restoreNew(catalogue, stored);
    const unchanged = stored.length - taken.length;
    const restored = records.length - stored.length;
    assert.deepEqual(await catalogue.restore(records), { restored, unchanged, conflicts: taken });
    const all = records.map((record, i) => (taken.includes(i) ? { pet: { ...REX, id: record.pet.id } } : record));
    assert.deepEqual(await recordsOf(catalogue), all);
  },

  'restore by concurrent calls with the same records stores each once': async (catalogue) => {
    const records = recordsFrom(1, 130);
    const calls = await Promise.all(Array.from({ length: 4 }, async () => catalogue.restore(records)));
    const restored = calls.reduce((sum, call) => sum + call.restored, 0);
    assert.equal(restored, records.length, 'restored by all calls together');
    for (const call of calls) assert.deepEqual(call, { ...call, unchanged: 130 - call.restored, conflicts: [] });
    assert.deepEqual(await recordsOf(catalogue), records);
  },

  'restore lets add assign only greater ids, and reject if there is none': async (catalogue) => {
    await assertGreaterIds(catalogue, async () => catalogue.add(REX));
    await restoreNew(catalogue, [{ pet: { id: INT64_MAX, ...REX } }]);
    const pets = await petsOf(catalogue);
    await assert.rejects(catalogue.add(REX));
    assert.deepEqual(await petsOf(catalogue), pets);
  },

  'restore keeps no member beyond those of an animal, and an animal of it never changes': async (catalogue) => {
    const mine = { id: 1n, ...REX, colour: 'brown' };
    await restoreNew(catalogue, [{ pet: mine }]);
    mine.name = 'changed';
    const [record] = await recordsOf(catalogue);
    for (const pet of [await catalogue.find(1n), ...(await petsOf(catalogue)), record?.pet]) {
      assertFrozen(pet);
      assert.deepEqual(pet, { id: 1n, ...REX });
    }
  },
});

/** The checks of a catalogue that is to have `addOnce` too. */
export const restoreOnceChecks: Checks<PetCatalogue> = needing(['addOnce', 'records', 'restore'], {
  'restore lets addOnce assign only greater ids': async (catalogue) => {
    await assertGreaterIds(catalogue, async (key) => (await catalogue.addOnce(REX, key)).pet);
  },

  'records has the SHA-256 of the idempotency key of each animal of addOnce': async (catalogue) => {
    const keys = [...Array.from({ length: 30 }, (_, i) => `key ${i}`), '\u00e9', 'e\u0301', '😀', '__proto__'];
    const expected: PetRecord[] = [];
    for (const key of keys) {
      expected.push({ pet: (await catalogue.addOnce(REX, key)).pet, idempotencyDigest: hash('sha256', key) });
    }
    assert.deepEqual(await recordsOf(catalogue), expected);
    assert.deepEqual(await catalogue.restore(expected), { restored: 0, unchanged: keys.length, conflicts: [] });
  },

  'restore lets addOnce replay the creation of another catalogue, also by concurrent calls': async (catalogue) => {
    await restoreNew(catalogue, recordsFrom(10, 3));
    for (const { pet } of recordsFrom(10, 3)) {
      const { id, ...newPet } = pet;
      const calls = Array.from({ length: 4 }, async () => catalogue.addOnce(newPet, `key ${id}`));
      for (const creation of await Promise.all(calls)) assert.deepEqual(creation, { pet, replayed: true });
      await assertReused(catalogue.addOnce(REX, `key ${id}`));
    }
    assert.deepEqual(await recordsOf(catalogue), recordsFrom(10, 3));
    assert.equal((await catalogue.addOnce(REX, hash('sha256', 'key 10'))).replayed, false, 'a digest is not the key');
  },

  'a conflict leaves the key of its record to the animal that has it': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'mine');
    await assertKept(
      catalogue,
      { pet: { id: pet.id + 10n, ...REX }, idempotencyDigest: hash('sha256', 'mine') },
      'conflict',
    );
    await assertKept(catalogue, { pet, idempotencyDigest: hash('sha256', 'free') }, 'conflict');
    assert.deepEqual(await catalogue.addOnce(REX, 'mine'), { pet, replayed: true });
    assert.equal((await catalogue.addOnce(REX, 'free')).replayed, false);
  },
});

/** The check of a catalogue whose `records` and `restore` are not checked. */
export const noRestoreCheck: Checks<PetCatalogue> = {
  'the catalogue has neither records nor restore, whose checks were not asked for': async (catalogue) => {
    for (const method of ['records', 'restore'] as const) {
      assert.equal(
        catalogue[method],
        undefined,
        `the catalogue has ${method}: check it with the option \`restore: true\``,
      );
    }
  },
};
