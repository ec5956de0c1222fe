import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import type { CreationRecord } from '../../src/domain/idempotency-key.js';
import { BATCH_MAX, type PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { PET_MEMBER_NAMES, type NewPet, type Pet } from '../../src/domain/pet.js';
import { assertReused } from './pet-catalogue-add-once-checks.js';
import { OPTIONAL_MEMBERS, REX, rexesWith, rexWithout } from './pet-samples.js';
import { petsOf } from './pets-of.js';
import { whereItHas, type Checks } from './test-runner.js';

/** A catalogue with `restore`. */
type RestoringCatalogue = PetCatalogue & Required<Pick<PetCatalogue, 'restore'>>;
/** A catalogue that also remembers creations. */
type MovingCatalogue = Required<Omit<PetCatalogue, 'addManyOnce'>>;

/** Animals that differ from {@link REX} in one member each. */
const OTHERS: Readonly<Record<string, NewPet>> = Object.fromEntries([
  ...PET_MEMBER_NAMES.map((member) => [`another ${member}`, rexesWith(member)[1]?.[1]]),
  ...OPTIONAL_MEMBERS.map((member) => [`no ${member}`, rexWithout(member)]),
]);

/** Animals as different as they can be, with gaps between their ids. */
const HERD: readonly Pet[] = [
  { id: 1n, ...REX },
  { id: 3n, name: ' \u00e9e\u0301😀"\\\u0001\ufeff', categoryId: INT64_MIN },
  { id: 4n, name: 'x'.repeat(1024), categoryId: INT64_MAX, status: 'sold' },
  { id: 9007199254740993n, name: 'Tom', categoryId: 9007199254740993n, status: 'pending' },
];

/** Many animals, from an id on. */
function petsFrom(first: number, count: number): Pet[] {
  return Array.from({ length: count }, (_, i) => ({ id: BigInt(first + i), name: `pet ${first + i}`, categoryId: 1n }));
}

/** The creation of an animal with a key, at a time. */
function creationOf(key: string, petId: bigint, at = new Date()): CreationRecord {
  return { sha256: hash('sha256', key), petId, at };
}

async function creationsOf(catalogue: MovingCatalogue): Promise<CreationRecord[]> {
  const creations: CreationRecord[] = [];
  for await (const creation of catalogue.listCreations()) creations.push(creation);
  return creations.sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
}

const restoring: Checks<RestoringCatalogue> = {
  'restore stores animals under their own ids, digit for digit and code unit for code unit': async (catalogue) => {
    assert.deepEqual(await catalogue.restore(HERD), { restored: HERD.length, present: 0, refused: [] });
    assert.deepEqual(await petsOf(catalogue), HERD);
    for (const pet of HERD) assert.deepEqual(await catalogue.find(pet.id), pet);
    for (const id of [0n, 2n, 5n, 9007199254740992n, INT64_MAX]) assert.equal(await catalogue.find(id), undefined);
  },

  'restore makes animals that lists by status show': async (catalogue) => {
    await catalogue.restore(HERD);
    for (const status of ['available', 'pending', 'sold'] as const) {
      const { pets } = await catalogue.list({ limit: 100, status });
      assert.deepEqual(
        pets,
        HERD.filter((pet) => pet.status === status),
      );
    }
  },

  'restore stores as many animals as one call may pass': async (catalogue) => {
    const pets = petsFrom(1, BATCH_MAX);
    assert.deepEqual(await catalogue.restore(pets), { restored: pets.length, present: 0, refused: [] });
    assert.deepEqual(await petsOf(catalogue), pets);
  },

  'restore leaves what is there already and equal as it is, and counts it': async (catalogue) => {
    await catalogue.restore(HERD);
    assert.deepEqual(await catalogue.restore(HERD), { restored: 0, present: HERD.length, refused: [] });
    assert.deepEqual(await petsOf(catalogue), HERD);
  },

  'restore takes an animal of add that has the same id for the same': async (catalogue) => {
    const pet = await catalogue.add(REX);
    assert.deepEqual(await catalogue.restore([{ ...REX, id: pet.id }]), { restored: 0, present: 1, refused: [] });
    assert.deepEqual(await petsOf(catalogue), [pet]);
  },

  'restore completes what was begun, wherever it was cut': async (catalogue) => {
    const pets = petsFrom(1, 260);
    await catalogue.restore(pets.slice(0, 49));
    await catalogue.restore(pets.slice(75, 151));
    await catalogue.restore(pets.slice(200, 201));
    const rest = 260 - 49 - 76 - 1;
    assert.deepEqual(await catalogue.restore(pets), { restored: rest, present: 260 - rest, refused: [] });
    assert.deepEqual(await petsOf(catalogue), pets);
  },

  ...Object.fromEntries(
    Object.entries(OTHERS).map(([what, other]) => [
      `restore refuses an animal whose id another one has, which stays as it is: ${what}`,
      async (catalogue: RestoringCatalogue) => {
        await catalogue.restore([{ id: 5n, ...REX }]);
        assert.deepEqual(await catalogue.restore([{ id: 5n, ...other }]), { restored: 0, present: 0, refused: [0] });
        assert.deepEqual(await petsOf(catalogue), [{ id: 5n, ...REX }]);
      },
    ]),
  ),

  'restore says which animals it refused, and stores the others': async (catalogue) => {
    const pets = petsFrom(1, 130);
    const taken = [0, 49, 50, 99, 120, 129];
    await catalogue.restore([...taken.map((i) => ({ ...REX, id: BigInt(i + 1) })), ...petsFrom(500, 1)]);
    assert.deepEqual(await catalogue.restore(pets), { restored: 124, present: 0, refused: taken });
    const stored = pets.map((pet, i) => (taken.includes(i) ? { ...REX, id: pet.id } : pet));
    assert.deepEqual(await petsOf(catalogue), [...stored, ...petsFrom(500, 1)]);
  },

  'restore lets add give only greater ids': async (catalogue) => {
    await catalogue.restore(petsFrom(1, 10));
    let before = 10n;
    for (let i = 0; i < 3; i++) {
      const { id } = await catalogue.add(REX);
      assert.ok(id > before, `${id} follows ${before}`);
      before = id;
    }
    await catalogue.restore([{ id: before + 5000n, ...REX }]);
    const { id } = await catalogue.add(REX);
    assert.ok(id > before + 5000n, `${id} follows ${before + 5000n}`);
    assert.deepEqual(await catalogue.find(id), { id, ...REX });
  },

  'restore lets add reject if there is no greater id': async (catalogue) => {
    await catalogue.restore([{ id: INT64_MAX, ...REX }]);
    await assert.rejects(catalogue.add(REX));
    assert.deepEqual(await petsOf(catalogue), [{ id: INT64_MAX, ...REX }]);
  },

  'restore stores animals between and before others': async (catalogue) => {
    await catalogue.restore(petsFrom(100, 3));
    await catalogue.restore([...petsFrom(50, 2), ...petsFrom(200, 2)]);
    await catalogue.restore(petsFrom(1, 2));
    const all = [...petsFrom(1, 2), ...petsFrom(50, 2), ...petsFrom(100, 3), ...petsFrom(200, 2)];
    assert.deepEqual(await petsOf(catalogue), all);
    for (const pet of all) assert.deepEqual(await catalogue.find(pet.id), pet);
    assert.equal(await catalogue.find(3n), undefined);
  },

  'restore keeps no member beyond those of an animal, and an animal of it never changes': async (catalogue) => {
    const mine = { id: 1n, ...REX, colour: 'brown' };
    await catalogue.restore([mine]);
    mine.name = 'changed';
    for (const pet of [await catalogue.find(1n), ...(await petsOf(catalogue))]) {
      assert.deepEqual(pet, { id: 1n, ...REX });
      assert.equal(Reflect.set(pet, 'name', 'changed'), false, 'its name can be set');
    }
  },

  'restore is there with listCreations and restoreCreations if addOnce is': async (catalogue) => {
    const methods = [catalogue.listCreations, catalogue.restoreCreations].map((method) => typeof method);
    const all = catalogue.addOnce === undefined ? 'undefined' : 'function';
    assert.deepEqual(methods, [all, all]);
  },
};

const moving: Checks<MovingCatalogue> = {
  'listCreations gives none if there are none': async (catalogue) => {
    await catalogue.add(REX);
    assert.deepEqual(await creationsOf(catalogue), []);
  },

  'listCreations gives each creation once, with its digest, its animal and its time': async (catalogue) => {
    const keys = [...Array.from({ length: 30 }, (_, i) => `key ${i}`), '\u00e9', '__proto__'];
    const begun = Date.now();
    const ids = new Map<string, bigint>();
    for (const key of keys) ids.set(hash('sha256', key), (await catalogue.addOnce(REX, key)).pet.id);
    await catalogue.addOnce(REX, 'key 0');
    const creations = await creationsOf(catalogue);
    assert.deepEqual(new Map(creations.map(({ sha256, petId }) => [sha256, petId])), ids);
    assert.equal(creations.length, keys.length);
    // A different clock may measure the time since then, and may differ slightly.
    for (const { at } of creations) assert.ok(Math.abs(at.getTime() - begun) < 60_000, at.toISOString());
  },

  'restoreCreations lets addOnce repeat the creation of another catalogue': async (catalogue) => {
    await catalogue.restore(HERD);
    const creations = HERD.map(({ id }) => creationOf(`key ${id}`, id));
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: HERD.length, present: 0, refused: [] });
    for (const pet of HERD) {
      const { id, ...newPet } = pet;
      for (let i = 0; i < 2; i++) {
        assert.deepEqual(await catalogue.addOnce(newPet, `key ${id}`), { pet, replayed: true });
      }
    }
    assert.deepEqual(await petsOf(catalogue), HERD);
  },

  'restoreCreations lets concurrent calls of addOnce repeat it': async (catalogue) => {
    const [pet, ...others] = [{ id: 12n, ...REX }];
    await catalogue.restore([pet, ...others] as Pet[]);
    await catalogue.restoreCreations([creationOf('key', 12n)]);
    const creations = await Promise.all(Array.from({ length: 16 }, async () => catalogue.addOnce(REX, 'key')));
    for (const creation of creations) assert.deepEqual(creation, { pet, replayed: true });
    assert.equal((await petsOf(catalogue)).length, 1);
  },

  'restoreCreations lets addOnce refuse the key to another animal': async (catalogue) => {
    await catalogue.restore([{ id: 12n, ...REX }]);
    await catalogue.restoreCreations([creationOf('key', 12n)]);
    await assertReused(catalogue.addOnce({ ...REX, name: 'Tom' }, 'key'));
    assert.equal((await petsOf(catalogue)).length, 1);
  },

  'restoreCreations lets addOnce store what has another key': async (catalogue) => {
    await catalogue.restore([{ id: 12n, ...REX }]);
    await catalogue.restoreCreations([creationOf('key', 12n)]);
    const { pet, replayed } = await catalogue.addOnce(REX, 'another key');
    assert.equal(replayed, false);
    assert.ok(pet.id > 12n, `${pet.id} follows 12`);
    assert.deepEqual(await catalogue.addOnce(REX, 'another key'), { pet, replayed: true });
  },

  'restoreCreations makes listCreations give them, with their times': async (catalogue) => {
    await catalogue.restore(HERD);
    const at = new Date(Date.now() - 3_600_000);
    const creations = HERD.map(({ id }) => creationOf(`key ${id}`, id, at));
    await catalogue.restoreCreations(creations);
    const given = await creationsOf(catalogue);
    const withoutTime = ({ sha256, petId }: CreationRecord): unknown => ({ sha256, petId });
    const bySha256 = creations.sort((one, other) => (one.sha256 < other.sha256 ? -1 : 1));
    assert.deepEqual(given.map(withoutTime), bySha256.map(withoutTime));
    for (const each of given) assert.ok(Math.abs(each.at.getTime() - at.getTime()) < 60_000, each.at.toISOString());
  },

  'restoreCreations leaves what is remembered for the same animal as it is, and counts it': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'mine');
    await catalogue.restore([{ id: 1000n, ...REX }]);
    const creations = [creationOf('mine', pet.id), creationOf('given', 1000n)];
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: 1, present: 1, refused: [] });
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: 0, present: 2, refused: [] });
    assert.deepEqual(await catalogue.addOnce(REX, 'mine'), { pet, replayed: true });
    assert.equal((await creationsOf(catalogue)).length, 2);
  },

  'restoreCreations by concurrent calls with the same creations remembers each once': async (catalogue) => {
    await catalogue.restore(HERD);
    const creations = HERD.map(({ id }) => creationOf(`key ${id}`, id));
    const calls = await Promise.all(Array.from({ length: 4 }, async () => catalogue.restoreCreations(creations)));
    const restored = calls.reduce((sum, call) => sum + call.restored, 0);
    assert.equal(restored, HERD.length, 'restored by all calls together');
    for (const call of calls) assert.deepEqual(call, { ...call, present: HERD.length - call.restored, refused: [] });
    assert.equal((await creationsOf(catalogue)).length, HERD.length);
  },

  'restoreCreations refuses a key that belongs to another animal, and remembers the others': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'mine');
    await catalogue.restore([1000n, 1001n, 1002n].map((id) => ({ id, ...REX })));
    await catalogue.restoreCreations([creationOf('given', 1000n)]);
    const creations = [creationOf('given', pet.id), creationOf('third', 1001n), creationOf('mine', 1002n)];
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: 1, present: 0, refused: [0, 2] });
    assert.deepEqual(await catalogue.addOnce(REX, 'mine'), { pet, replayed: true });
    assert.deepEqual(await catalogue.addOnce(REX, 'given'), { pet: { id: 1000n, ...REX }, replayed: true });
    assert.deepEqual(await catalogue.addOnce(REX, 'third'), { pet: { id: 1001n, ...REX }, replayed: true });
  },

  'restoreCreations refuses a creation without its animal, and remembers the others': async (catalogue) => {
    await catalogue.restore([{ id: 12n, ...REX }]);
    const creations = [creationOf('lost', 11n), creationOf('key', 12n), creationOf('lost too', INT64_MAX)];
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: 1, present: 0, refused: [0, 2] });
    assert.deepEqual((await catalogue.addOnce(REX, 'key')).pet.id, 12n);
    assert.equal((await catalogue.addOnce(REX, 'lost')).replayed, false);
  },

  'restoreCreations says which of many creations it refused': async (catalogue) => {
    const lost = [0, 49, 50, 99, 120, 129];
    const creations = petsFrom(1, 130).map(({ id }) => creationOf(`key ${id}`, id));
    await catalogue.restore(petsFrom(1, 130).filter((_, i) => !lost.includes(i)));
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: 124, present: 0, refused: lost });
  },

  'restoreCreations remembers as many creations as one call may pass': async (catalogue) => {
    const pets = petsFrom(1, BATCH_MAX);
    await catalogue.restore(pets);
    const creations = pets.map(({ id }) => creationOf(`key ${id}`, id));
    await catalogue.restoreCreations(creations.slice(300, 701));
    assert.deepEqual(await catalogue.restoreCreations(creations), { restored: 599, present: 401, refused: [] });
    assert.equal((await creationsOf(catalogue)).length, BATCH_MAX);
    for (const i of [0, 299, 300, 700, 701, 999]) {
      const { id, ...newPet } = pets[i] as Pet;
      assert.deepEqual(await catalogue.addOnce(newPet, `key ${id}`), { pet: pets[i], replayed: true });
    }
  },
};

/** The checks of `restore` and the methods that go with it. A catalogue without them passes. */
export const restoreChecks: Checks<PetCatalogue> = {
  ...whereItHas(restoring, (catalogue) => catalogue.restore !== undefined),
  ...whereItHas(moving, (catalogue) => catalogue.restore !== undefined && catalogue.addOnce !== undefined),
};

/** The check of a catalogue that must have `restore`. */
export const restoreCheck: Checks<PetCatalogue> = {
  'restore is there': async (catalogue) => assert.ok(catalogue.restore !== undefined, 'the catalogue has no restore'),
};
