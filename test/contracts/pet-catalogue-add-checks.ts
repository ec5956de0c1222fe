import assert from 'node:assert/strict';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { PET_MEMBER_NAMES, type NewPet } from '../../src/domain/pet.js';
import { assertFrozen, assertGreater, assertStored } from './pet-catalogue-subject.js';
import { OPTIONAL_MEMBERS, REX, rexesWith, rexWithout } from './pet-samples.js';
import type { Checks } from './test-runner.js';

export const addChecks: Checks<PetCatalogue> = {
  'add assigns 1 as the first id of an empty catalogue': async (catalogue) => {
    assert.equal((await catalogue.add(REX)).id, 1n);
  },

  'add assigns an id greater than those of all animals added before, alone or concurrently': async (catalogue) => {
    let before = 0n;
    for (const count of [1, 1, 1, 8, 1, 8, 8]) {
      const pets = await Promise.all(Array.from({ length: count }, async () => catalogue.add(REX)));
      before = assertGreater(
        before,
        pets.map(({ id }) => id),
      );
    }
  },

  'add stores each of many concurrent animals under an id of its own, and shows it once it resolves': async (
    catalogue,
  ) => {
    const adding = Array.from({ length: 64 }, async (_, i) => {
      const newPet = { name: `pet ${i}`, categoryId: BigInt(i) };
      const pet = await catalogue.add(newPet);
      await assertStored(catalogue, pet.id, newPet);
      return pet;
    });
    const pets = await Promise.all(adding);
    assert.equal(new Set(pets.map(({ id }) => id)).size, 64);
    assert.deepEqual(await Promise.all(pets.map(async ({ id }) => catalogue.find(id))), pets);
  },

  ...Object.fromEntries(
    PET_MEMBER_NAMES.flatMap((member) =>
      rexesWith(member).map(([what, newPet]) => [
        `add keeps the ${member} exactly: ${what}`,
        async (catalogue: PetCatalogue) => {
          const pet = await catalogue.add(newPet);
          assert.deepEqual(pet, { id: pet.id, ...newPet });
          await assertStored(catalogue, pet.id, newPet);
        },
      ]),
    ),
  ),

  ...Object.fromEntries(
    OPTIONAL_MEMBERS.map((member) => [
      `add leaves the ${member} out if there is none`,
      async (catalogue: PetCatalogue) => {
        const pet = await catalogue.add(rexWithout(member));
        const [listed] = (await catalogue.list({ limit: 1 })).pets;
        const all = { 'add resolved to': pet, 'was found': await catalogue.find(pet.id), 'was listed': listed };
        for (const [which, seen] of Object.entries(all)) {
          assert.ok(seen !== undefined && !Object.hasOwn(seen, member), `the animal that ${which} has a ${member}`);
        }
      },
    ]),
  ),

  'add keeps no member beyond those of an animal': async (catalogue) => {
    const { id } = await catalogue.add({ ...REX, id: 99n, _id: 98n, colour: 'brown' } as NewPet);
    assert.notEqual(id, 99n);
    await assertStored(catalogue, id, REX);
  },

  'an animal never changes once returned, whatever a caller does to its own objects': async (catalogue) => {
    const mine = { ...REX } as { name: string; categoryId: bigint; status?: string };
    const added = await catalogue.add(mine as NewPet);
    mine.name = 'changed';
    mine.categoryId = 0n;
    delete mine.status;
    for (const pet of [added, await catalogue.find(added.id), (await catalogue.list({ limit: 1 })).pets[0]]) {
      assertFrozen(pet);
    }
    await assertStored(catalogue, added.id, REX);
  },
};

export const findChecks: Checks<PetCatalogue> = {
  'find resolves to the animal with exactly this id': async (catalogue) => {
    const pets = [];
    for (const name of ['Rex', 'Tom', 'Kim']) pets.push(await catalogue.add({ name, categoryId: 1n, status: 'sold' }));
    for (const pet of pets) assert.deepEqual(await catalogue.find(pet.id), pet);
  },

  'find resolves to undefined for every id that no animal has, and to the animal once one has it': async (
    catalogue,
  ) => {
    const others = [INT64_MIN, -1n, 0n, 2n, 4294967297n, 9007199254740993n, INT64_MAX - 1n, INT64_MAX];
    for (const id of [1n, ...others]) assert.equal(await catalogue.find(id), undefined, `id ${id}`);
    const pet = await catalogue.add(REX);
    assert.deepEqual(await catalogue.find(pet.id), pet);
    for (const id of others) assert.equal(await catalogue.find(id), undefined, `id ${id}`);
  },
};
