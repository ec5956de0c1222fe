import assert from 'node:assert/strict';
import { IDEMPOTENCY_KEY_MAX_LENGTH } from '../../src/domain/idempotency-key.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { NewPet } from '../../src/domain/pet.js';
import { assertFrozen, assertGreater, assertReused, needing, petsOf } from './pet-catalogue-subject.js';
import { OPTIONAL_MEMBERS, OTHERS, REX, rexWithout, samplePets } from './pet-samples.js';
import type { Checks } from './test-runner.js';

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

/** The checks of a catalogue that is to have `addOnce`. */
export const addOnceChecks: Checks<PetCatalogue> = needing(['addOnce'], {
  'addOnce stores the animal as add does, and resolves to it': async (catalogue) => {
    assert.deepEqual(await petsOf(catalogue, { limit: 100, status: 'available' }), []);
    assert.equal(await catalogue.find(1n), undefined);
    const { pet, replayed } = await catalogue.addOnce(REX, 'once');
    assert.equal(replayed, false);
    assert.deepEqual(pet, { id: 1n, ...REX });
    assert.deepEqual(await catalogue.find(1n), pet);
    assert.deepEqual(await petsOf(catalogue, { limit: 100, status: 'available' }), [pet]);
  },

  'addOnce and add assign ids of one sequence, each greater than the previous ones': async (catalogue) => {
    let before = 0n;
    for (let i = 0; i < 10; i++) {
      before = assertGreater(before, [(await catalogue.add(REX)).id]);
      before = assertGreater(before, [(await catalogue.addOnce(REX, `once ${i}`)).pet.id]);
    }
  },

  'addOnce stores nothing on a repeat, and resolves to the first animal, whatever was stored meanwhile': async (
    catalogue,
  ) => {
    const newPets = [...samplePets(), ...OPTIONAL_MEMBERS.map(rexWithout)];
    const pets = [];
    for (const [i, newPet] of newPets.entries()) {
      const { pet } = await catalogue.addOnce(newPet, `once ${i}`);
      assert.deepEqual(pet, { id: pet.id, ...newPet });
      pets.push(pet, await catalogue.add(REX));
    }
    for (const [i, newPet] of [...newPets.entries(), ...newPets.entries()]) {
      assert.deepEqual(await catalogue.addOnce({ ...newPet }, `once ${i}`), { pet: pets[2 * i], replayed: true });
    }
    assert.deepEqual(await petsOf(catalogue), pets);
  },

  'addOnce stores one animal for concurrent calls, which all resolve to it once it is stored': async (catalogue) => {
    const creations = await Promise.all(
      Array.from({ length: 32 }, async (_, i) => {
        const creation = await catalogue.addOnce(REX, `once ${i % 2}`);
        assert.deepEqual(await catalogue.find(creation.pet.id), creation.pet);
        return creation;
      }),
    );
    const pets = new Set(creations.map(({ pet }) => pet.id));
    assert.equal(pets.size, 2, 'the number of animals for two keys');
    assert.equal((await petsOf(catalogue)).length, 2, 'the number of animals stored for two keys');
    for (const [i, { pet }] of creations.entries()) assert.deepEqual(pet, creations[i % 2]?.pet);
    assert.ok(creations.filter(({ replayed }) => !replayed).length <= 2, 'several calls were the first');
  },

  'addOnce gives the key to one of two concurrent animals, and refuses the other': async (catalogue) => {
    const sent = [REX, { name: 'Tom', categoryId: 7n }];
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, async (_, i) => catalogue.addOnce(sent[i % 2] as NewPet, 'once')),
    );
    const stored = await petsOf(catalogue);
    assert.equal(stored.length, 1, 'not one animal was stored');
    for (const [i, outcome] of outcomes.entries()) {
      if (sent[i % 2]?.name === stored[0]?.name) {
        assert.equal(outcome.status, 'fulfilled');
        assert.deepEqual(outcome.value.pet, stored[0]);
      } else {
        assert.equal(outcome.status, 'rejected');
        await assertReused(Promise.reject(outcome.reason as Error));
      }
    }
  },

  'addOnce refuses the key of another animal, whichever member differs, and stores nothing': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'once');
    for (const [i, [what, other]] of OTHERS.entries()) {
      await assertReused(catalogue.addOnce(other, 'once'), what);
      await catalogue.addOnce(other, `other ${i}`);
      await assertReused(catalogue.addOnce(REX, `other ${i}`), `not ${what}`);
    }
    assert.equal((await petsOf(catalogue)).length, 1 + OTHERS.length);
    assert.deepEqual(await catalogue.addOnce(REX, 'once'), { pet, replayed: true });
  },

  'addOnce reveals nothing about the first animal if it refuses the key': async (catalogue) => {
    await catalogue.addOnce({ name: 'Bucephalus', categoryId: 8_675_309n, status: 'pending' }, 'once');
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

  'an animal of addOnce has no other member, neither key nor digest, and never changes': async (catalogue) => {
    const mine = { ...REX, id: 99n, idempotencyDigest: 'mine' };
    const first = await catalogue.addOnce(mine, 'once');
    mine.name = 'changed';
    const again = await catalogue.addOnce(REX, 'once');
    for (const pet of [first.pet, again.pet, await catalogue.find(1n), ...(await petsOf(catalogue))]) {
      assertFrozen(pet);
      assert.deepEqual(pet, { id: 1n, ...REX });
    }
  },
});

/** The check of a catalogue whose `addOnce` is not checked. */
export const noAddOnceCheck: Checks<PetCatalogue> = {
  'the catalogue has no addOnce, whose checks were not asked for': async ({ addOnce }) => {
    assert.equal(addOnce, undefined, 'the catalogue has addOnce: check it with the option `addOnce: true`');
  },
};
