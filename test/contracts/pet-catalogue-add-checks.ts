import assert from 'node:assert/strict';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { PET_MEMBER_NAMES, type NewPet } from '../../src/domain/pet.js';
import { OPTIONAL_MEMBERS, REX, rexesWith, rexWithout, samplePets } from './pet-samples.js';
import type { Checks } from './test-runner.js';

/** Asserts that every method returns `newPet` with this id. */
async function assertStored(catalogue: PetCatalogue, id: bigint, newPet: NewPet): Promise<void> {
  const { pets } = await catalogue.list({ limit: 1, after: id - 1n });
  assert.deepEqual(await catalogue.find(id), { id, ...newPet });
  assert.deepEqual(pets[0], { id, ...newPet });
}

export const addChecks: Checks<PetCatalogue> = {
  'add resolves to the animal with the id that it was given': async (catalogue) => {
    const pet = await catalogue.add(REX);
    assert.deepEqual(pet, { id: pet.id, ...REX });
  },

  'add assigns 1 as the first id of an empty catalogue': async (catalogue) => {
    assert.equal((await catalogue.add(REX)).id, 1n);
  },

  'add assigns an id greater than every id before it': async (catalogue) => {
    let before = 0n;
    for (let i = 0; i < 20; i++) {
      const { id } = await catalogue.add(REX);
      assert.ok(id > before, `${id} follows ${before}`);
      before = id;
    }
  },

  'add assigns an id greater than those of animals added concurrently before it': async (catalogue) => {
    let before = 0n;
    for (let round = 0; round < 4; round++) {
      const pets = await Promise.all(Array.from({ length: 8 }, async () => catalogue.add(REX)));
      for (const { id } of pets) assert.ok(id > before, `${id} follows ${before}`);
      before = pets.reduce((greatest, { id }) => (id > greatest ? id : greatest), before);
    }
  },

  'add stores every animal that is added concurrently, with an id of its own': async (catalogue) => {
    const names = Array.from({ length: 64 }, (_, i) => `pet ${i}`);
    const pets = await Promise.all(names.map(async (name) => catalogue.add({ name, categoryId: 1n })));
    assert.equal(new Set(pets.map(({ id }) => id)).size, 64);
    const found = await Promise.all(pets.map(async ({ id }) => catalogue.find(id)));
    assert.deepEqual(found, pets);
    assert.deepEqual(
      found.map((pet) => pet.name),
      names,
    );
  },

  'add shows each animal as soon as it resolves, while other calls are pending': async (catalogue) => {
    const adding = Array.from({ length: 32 }, async (_, i) => {
      const newPet = { name: `pet ${i}`, categoryId: BigInt(i) };
      const { id } = await catalogue.add(newPet);
      await assertStored(catalogue, id, newPet);
    });
    await Promise.all(adding);
  },

  ...Object.fromEntries(
    PET_MEMBER_NAMES.flatMap((member) =>
      rexesWith(member).map(([what, newPet]) => [
        `add keeps the ${member} exactly: ${what}`,
        async (catalogue: PetCatalogue) => {
          const pet = await catalogue.add(newPet);
          assert.deepEqual(pet[member], newPet[member]);
          await assertStored(catalogue, pet.id, newPet);
        },
      ]),
    ),
  ),

  'add keeps every member beside every other': async (catalogue) => {
    for (const newPet of samplePets()) {
      const pet = await catalogue.add(newPet);
      assert.deepEqual(pet, { id: pet.id, ...newPet });
      await assertStored(catalogue, pet.id, newPet);
    }
  },

  ...Object.fromEntries(
    OPTIONAL_MEMBERS.map((member) => [
      `add leaves the ${member} out if there is none`,
      async (catalogue: PetCatalogue) => {
        const pet = await catalogue.add(rexWithout(member));
        const found = await catalogue.find(pet.id);
        const [listed] = (await catalogue.list({ limit: 1 })).pets;
        for (const [which, seen] of Object.entries({
          'add resolved to': pet,
          'was found': found,
          'was listed': listed,
        })) {
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

  'add is not affected by what the caller does to its object afterwards': async (catalogue) => {
    const mine = { ...REX } as { name: string; categoryId: bigint; status?: string };
    const { id } = await catalogue.add(mine as NewPet);
    mine.name = 'changed';
    mine.categoryId = 0n;
    delete mine.status;
    await assertStored(catalogue, id, REX);
  },

  'an animal never changes once returned': async (catalogue) => {
    const added = await catalogue.add(REX);
    const found = await catalogue.find(added.id);
    const [listed] = (await catalogue.list({ limit: 1 })).pets;
    for (const pet of [added, found, listed]) {
      assert.ok(pet !== undefined, 'the animal is missing');
      assert.equal(Reflect.set(pet, 'name', 'changed'), false, 'its name can be set');
      assert.equal(Reflect.deleteProperty(pet, 'status'), false, 'its status can be deleted');
      assert.equal(Reflect.set(pet, 'colour', 'brown'), false, 'a member can be added to it');
    }
    await assertStored(catalogue, added.id, REX);
  },
};
