import assert from 'node:assert/strict';
import { BATCH_MAX, type NewPetOnce, type PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { NewPet, Pet } from '../../src/domain/pet.js';
import { assertReused } from './pet-catalogue-add-once-checks.js';
import { REX } from './pet-samples.js';
import { petsOf } from './pets-of.js';
import { whereItHas, type Checks } from './test-runner.js';

/** A catalogue with `addManyOnce`. */
type ManyOnceCatalogue = PetCatalogue & Required<Pick<PetCatalogue, 'addOnce' | 'addManyOnce'>>;

/** Creations with the keys `key 1`, `key 2` and so on. */
function creationsFrom(first: number, count: number): NewPetOnce[] {
  return Array.from({ length: count }, (_, i) => ({
    newPet: { name: `pet ${first + i}`, categoryId: BigInt(first + i) },
    idempotencyKey: `key ${first + i}`,
  }));
}

function newPetOf({ id: _id, ...newPet }: Pet): NewPet {
  return newPet;
}

const checks: Checks<ManyOnceCatalogue> = {
  'addManyOnce stores each animal, and resolves to them in the order given': async (catalogue) => {
    const creations = creationsFrom(1, 130);
    const results = await catalogue.addManyOnce(creations);
    assert.deepEqual(
      results.map(({ pet, replayed }) => ({ newPet: newPetOf(pet), replayed })),
      creations.map(({ newPet }) => ({ newPet, replayed: false })),
    );
    const byId = results.map(({ pet }) => pet).sort((one, other) => (one.id < other.id ? -1 : 1));
    assert.deepEqual(await petsOf(catalogue), byId);
  },

  'addManyOnce stores as many animals as one call may pass': async (catalogue) => {
    const creations = creationsFrom(1, BATCH_MAX);
    assert.equal((await catalogue.addManyOnce(creations)).length, BATCH_MAX);
    const stored = (await petsOf(catalogue)).map(({ name }) => name).sort();
    assert.deepEqual(stored, creations.map(({ newPet }) => newPet.name).sort());
  },

  'addManyOnce stores nothing on a repeat, and resolves to the first animals': async (catalogue) => {
    const creations = creationsFrom(1, 130);
    const first = await catalogue.addManyOnce(creations);
    const again = await catalogue.addManyOnce(creations);
    assert.deepEqual(
      again,
      first.map(({ pet }) => ({ pet, replayed: true })),
    );
    assert.equal((await petsOf(catalogue)).length, 130);
  },

  'addManyOnce completes what was begun, wherever it was cut': async (catalogue) => {
    const creations = creationsFrom(1, 260);
    await catalogue.addManyOnce(creations.slice(0, 49));
    await catalogue.addManyOnce(creations.slice(75, 151));
    await catalogue.addManyOnce(creations.slice(200, 201));
    const results = await catalogue.addManyOnce(creations);
    assert.equal(results.filter(({ replayed }) => replayed).length, 49 + 76 + 1);
    assert.deepEqual(
      results.map(({ pet }) => newPetOf(pet)),
      creations.map(({ newPet }) => newPet),
    );
    assert.equal((await petsOf(catalogue)).length, 260);
  },

  'addManyOnce and addOnce know the keys of each other': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'mine');
    const results = await catalogue.addManyOnce([
      ...creationsFrom(1, 49),
      { newPet: REX, idempotencyKey: 'mine' },
      ...creationsFrom(50, 10),
    ]);
    assert.deepEqual(results[49], { pet, replayed: true });
    const [first] = results;
    assert.deepEqual(await catalogue.addOnce({ name: 'pet 1', categoryId: 1n }, 'key 1'), {
      pet: first?.pet,
      replayed: true,
    });
    assert.equal((await petsOf(catalogue)).length, 60);
  },

  'addManyOnce takes equal animals with several keys for several animals': async (catalogue) => {
    const creations = Array.from({ length: 60 }, (_, i) => ({ newPet: REX, idempotencyKey: `line ${i}` }));
    const results = await catalogue.addManyOnce(creations);
    assert.equal(new Set(results.map(({ pet }) => pet.id)).size, 60);
    assert.equal((await petsOf(catalogue)).length, 60);
  },

  'addManyOnce rejects if a key belongs to another animal, which stays as it is': async (catalogue) => {
    const { pet } = await catalogue.addOnce(REX, 'key 7');
    await assertReused(catalogue.addManyOnce(creationsFrom(1, 60)));
    assert.deepEqual(await catalogue.addOnce(REX, 'key 7'), { pet, replayed: true });
    assert.equal((await petsOf(catalogue)).filter(({ name }) => name === 'pet 7').length, 0);
  },

  'concurrent calls of addManyOnce store one animal for each key': async (catalogue) => {
    const creations = creationsFrom(1, 120);
    const results = await Promise.all(Array.from({ length: 4 }, async () => catalogue.addManyOnce(creations)));
    const stored = await petsOf(catalogue);
    assert.equal(stored.length, 120);
    for (const i of creations.keys()) {
      const same = results.map((each) => each[i]);
      assert.equal(new Set(same.map((each) => each?.pet.id)).size, 1, `key ${i + 1} has several animals`);
      assert.ok(same.filter((each) => each?.replayed === false).length <= 1, `key ${i + 1} was created twice`);
    }
  },

  'addManyOnce and add assign ids of one sequence, each greater than the previous ones': async (catalogue) => {
    let before = 0n;
    for (let i = 0; i < 3; i++) {
      const added = await catalogue.add(REX);
      const many = await catalogue.addManyOnce(creationsFrom(1 + 60 * i, 60));
      const ids = [added.id, ...many.map(({ pet }) => pet.id)];
      assert.equal(new Set(ids).size, ids.length);
      for (const id of ids) assert.ok(id > before, `${id} follows ${before}`);
      before = ids.reduce((greatest, id) => (id > greatest ? id : greatest));
    }
  },

  'addManyOnce is not affected by what the caller does to its objects afterwards': async (catalogue) => {
    const mine = creationsFrom(1, 60).map(({ newPet, idempotencyKey }) => ({
      newPet: { ...newPet },
      idempotencyKey,
    }));
    const adding = catalogue.addManyOnce(mine);
    for (const creation of mine) {
      creation.newPet.name = 'changed';
      creation.idempotencyKey = 'changed';
    }
    await adding;
    const again = await catalogue.addManyOnce(creationsFrom(1, 60));
    assert.equal(again.filter(({ replayed }) => replayed).length, 60);
  },
};

/** The checks of `addManyOnce`. A catalogue without the method passes them. */
export const addManyOnceChecks: Checks<PetCatalogue> = {
  'a catalogue with addManyOnce has addOnce': async (catalogue) =>
    assert.ok(catalogue.addManyOnce === undefined || catalogue.addOnce !== undefined, 'it has no addOnce'),

  ...whereItHas(checks, (catalogue) => catalogue.addManyOnce !== undefined),
};
