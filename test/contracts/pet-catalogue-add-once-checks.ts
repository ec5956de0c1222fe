import assert from 'node:assert/strict';
import { isAnimalStoreError, type AnimalStoreError } from '../../src/domain/errors.js';
import { INT64_MAX } from '../../src/domain/int64.js';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { PET_MEMBER_NAMES, type NewPet } from '../../src/domain/pet.js';
import { petsOf } from './pets-of.js';
import { OPTIONAL_MEMBERS, REX, rexesWith, rexWithout, samplePets } from './pet-samples.js';
import { whereItHas, type Checks } from './test-runner.js';

/** A catalogue with `addOnce`. */
type OnceCatalogue = PetCatalogue & Required<Pick<PetCatalogue, 'addOnce'>>;

/** Keys that all differ, although they look alike. */
const KEYS = [
  'once',
  'Once',
  'once ',
  ' once',
  'o',
  '\u00e9',
  'e\u0301',
  '__proto__',
  'constructor',
  '$where.{"$gt":""}\'--;\\',
  '0',
  '00',
  '\ufeffonce',
  '\u0001',
  'x'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH - 1),
  'x'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH),
  '😀'.repeat(IDEMPOTENCY_KEY_MAX_LENGTH / 2),
];

/** Asserts that a creation is refused because its key belongs to another animal. Resolves to the error. */
export async function assertReused(
  creating: Promise<unknown> | undefined,
  fault = 'it did not reject with an AnimalStoreError',
): Promise<AnimalStoreError> {
  const outcome: unknown = await creating?.catch((error: unknown) => error);
  assert.ok(isAnimalStoreError(outcome), fault);
  assert.equal(outcome.code, 'idempotency_key_reused');
  return outcome;
}

const checks: Checks<OnceCatalogue> = {
  'addOnce stores the animal as add does, and resolves to it': async (catalogue) => {
    const { pet, replayed } = await catalogue.addOnce(REX, 'once');
    assert.equal(replayed, false);
    assert.deepEqual(pet, { id: 1n, ...REX });
    assert.deepEqual(await catalogue.find(1n), pet);
    assert.deepEqual(await petsOf(catalogue), [pet]);
    assert.deepEqual((await catalogue.list({ limit: 100, status: 'available' })).pets, [pet]);
  },

  'addOnce and add assign ids of one sequence, each greater than the previous ones': async (catalogue) => {
    let before = 0n;
    for (let i = 0; i < 10; i++) {
      const ids = [(await catalogue.add(REX)).id, (await catalogue.addOnce(REX, `once ${i}`)).pet.id];
      for (const id of ids) {
        assert.ok(id > before, `${id} follows ${before}`);
        before = id;
      }
    }
  },

  'addOnce stores nothing on a repeat, and resolves to the first animal': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'once');
    for (let i = 0; i < 3; i++) {
      assert.deepEqual(await catalogue.addOnce({ ...REX }, 'once'), { pet, replayed: true });
    }
    assert.deepEqual(await petsOf(catalogue), [pet]);
  },

  'addOnce resolves to the first animal after others were added': async (catalogue) => {
    const creations = [];
    for (let i = 0; i < 5; i++) {
      creations.push(await catalogue.addOnce({ name: `pet ${i}`, categoryId: INT64_MAX - BigInt(i) }, `once ${i}`));
      await catalogue.add(REX);
    }
    for (const [i, { pet }] of creations.entries()) {
      const again = await catalogue.addOnce({ name: `pet ${i}`, categoryId: INT64_MAX - BigInt(i) }, `once ${i}`);
      assert.deepEqual(again, { pet, replayed: true });
    }
    assert.equal((await petsOf(catalogue)).length, 10);
  },

  ...Object.fromEntries(
    OPTIONAL_MEMBERS.map((member) => [
      `addOnce leaves the ${member} out if there is none, on a repeat too`,
      async (catalogue: OnceCatalogue) => {
        for (let i = 0; i < 2; i++) {
          const { pet } = await catalogue.addOnce(rexWithout(member), 'once');
          assert.ok(!Object.hasOwn(pet, member), `the animal has a ${member}`);
        }
      },
    ]),
  ),

  'addOnce stores one animal for concurrent calls, and all resolve to it': async (catalogue) => {
    const creations = await Promise.all(Array.from({ length: 32 }, async () => catalogue.addOnce(REX, 'once')));
    const [pet, ...others] = await petsOf(catalogue);
    assert.deepEqual(others, [], 'more than one animal was stored');
    for (const creation of creations) assert.deepEqual(creation.pet, pet);
    assert.ok(creations.filter(({ replayed }) => !replayed).length <= 1, 'several calls were the first');
  },

  'addOnce shows the animal as soon as any of the concurrent calls resolves': async (catalogue) => {
    const adding = Array.from({ length: 16 }, async (_, i) => {
      const newPet = { name: `pet ${i % 4}`, categoryId: 1n };
      const { pet } = await catalogue.addOnce(newPet, `once ${i % 4}`);
      assert.deepEqual(await catalogue.find(pet.id), { id: pet.id, ...newPet });
    });
    await Promise.all(adding);
  },

  'addOnce gives the key to one of two concurrent animals, and refuses the other': async (catalogue) => {
    const tom: NewPet = { name: 'Tom', categoryId: 7n };
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, async (_, i) => catalogue.addOnce(i % 2 === 0 ? REX : tom, 'once')),
    );
    const stored = await petsOf(catalogue);
    assert.equal(stored.length, 1, 'not one animal was stored');
    for (const [i, outcome] of outcomes.entries()) {
      if (stored[0]?.name !== (i % 2 === 0 ? 'Rex' : 'Tom')) {
        assert.equal(outcome.status, 'rejected');
        assert.equal((outcome.reason as { code?: unknown }).code, 'idempotency_key_reused');
      } else {
        assert.equal(outcome.status, 'fulfilled');
        assert.deepEqual(outcome.value.pet, stored[0]);
      }
    }
  },

  ...Object.fromEntries(
    PET_MEMBER_NAMES.map((member) => [
      `addOnce refuses the key of another animal, and stores nothing: another ${member}`,
      async (catalogue: OnceCatalogue) => {
        const { pet } = await catalogue.addOnce(REX, 'once');
        const [, ...others] = rexesWith(member);
        for (const [what, other] of others) {
          await assertReused(catalogue.addOnce(other, 'once'), `${what} was taken for ${String(REX[member])}`);
        }
        assert.deepEqual(await petsOf(catalogue), [pet]);
        assert.deepEqual(await catalogue.addOnce(REX, 'once'), { pet, replayed: true });
      },
    ]),
  ),

  ...Object.fromEntries(
    OPTIONAL_MEMBERS.map((member) => [
      `addOnce refuses the key of another animal, and stores nothing: no ${member}`,
      async (catalogue: OnceCatalogue) => {
        const [one, other] = [REX, rexWithout(member)];
        const creations = [await catalogue.addOnce(one, 'once'), await catalogue.addOnce(other, 'another')];
        await assertReused(catalogue.addOnce(other, 'once'));
        await assertReused(catalogue.addOnce(one, 'another'));
        assert.deepEqual(
          await petsOf(catalogue),
          creations.map(({ pet }) => pet),
        );
      },
    ]),
  ),

  'addOnce repeats the animal with every value of every member': async (catalogue) => {
    for (const [i, newPet] of samplePets().entries()) {
      const { pet } = await catalogue.addOnce(newPet, `once ${i}`);
      assert.deepEqual(pet, { id: pet.id, ...newPet });
      assert.deepEqual(await catalogue.addOnce(newPet, `once ${i}`), { pet, replayed: true });
    }
  },

  'addOnce reveals nothing about the first animal if it refuses the key': async (catalogue) => {
    const first: NewPet = { name: 'Bucephalus', categoryId: 8_675_309n, status: 'pending' };
    await catalogue.addOnce(first, 'once');
    const error = await assertReused(catalogue.addOnce(REX, 'once'));
    const told = [error.message, JSON.stringify(error), JSON.stringify(error.faults)].join();
    assert.doesNotMatch(told, /Bucephalus|8675309|pending/);
  },

  'addOnce compares keys code unit for code unit': async (catalogue) => {
    for (const key of KEYS) {
      const { replayed } = await catalogue.addOnce(REX, key);
      assert.equal(replayed, false, `${JSON.stringify(key.slice(0, 40))} was taken for another key`);
    }
    assert.equal((await petsOf(catalogue)).length, KEYS.length);
    for (const key of KEYS) assert.equal((await catalogue.addOnce(REX, key)).replayed, true);
  },

  'add and addOnce store the animal of each other again': async (catalogue) => {
    const before = await catalogue.add(REX);
    const { pet, replayed } = await catalogue.addOnce(REX, 'once');
    assert.equal(replayed, false);
    const after = await catalogue.add(REX);
    assert.deepEqual(await petsOf(catalogue), [before, pet, after]);
  },

  'addOnce keeps no member beyond those of an animal, nor the key or its digest': async (catalogue) => {
    const { pet } = await catalogue.addOnce({ ...REX, id: 99n, once: 'mine' } as NewPet, 'once');
    const again = await catalogue.addOnce(REX, 'once');
    for (const seen of [pet, again.pet, await catalogue.find(pet.id), ...(await petsOf(catalogue))]) {
      assert.deepEqual(seen, { id: 1n, ...REX });
    }
  },

  'addOnce is not affected by what the caller does to its object afterwards': async (catalogue) => {
    const mine = { ...REX } as { name: string };
    const { pet } = await catalogue.addOnce(mine as NewPet, 'once');
    mine.name = 'changed';
    assert.deepEqual(await catalogue.addOnce(REX, 'once'), { pet, replayed: true });
  },

  'an animal of addOnce never changes once returned': async (catalogue) => {
    for (const { pet } of [await catalogue.addOnce(REX, 'once'), await catalogue.addOnce(REX, 'once')]) {
      assert.equal(Reflect.set(pet, 'name', 'changed'), false, 'its name can be set');
      assert.equal(Reflect.set(pet, 'colour', 'brown'), false, 'a member can be added to it');
    }
  },
};

/** The checks of `addOnce`. A catalogue without the method passes them. */
export const addOnceChecks: Checks<PetCatalogue> = whereItHas(checks, hasAddOnce);

/** The check of a catalogue that must have `addOnce`. */
export const addOnceCheck: Checks<PetCatalogue> = {
  'addOnce is implemented': async (catalogue) => assert.ok(hasAddOnce(catalogue), 'the catalogue has no addOnce'),
};

function hasAddOnce(catalogue: PetCatalogue): boolean {
  return typeof catalogue.addOnce === 'function';
}
