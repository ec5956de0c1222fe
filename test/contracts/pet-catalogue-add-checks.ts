import assert from 'node:assert/strict';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { PET_STATUSES } from '../../src/domain/pet-status.js';
import type { NewPet } from '../../src/domain/pet.js';
import type { Checks } from './test-runner.js';

const REX: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

const NAMES = {
  'white space around it': ' \t Rex \n ',
  'decomposed and composed letters': 'e\u0301 \u00e9',
  'code points beyond the basic plane': '😀'.repeat(1024),
  'characters that stores give a meaning': '$where.{"$gt":""}\'--;\\',
  'the name of an inherited member': '__proto__',
  'a byte order mark first': '\ufeffRex',
  'line ends of every kind': 'R\r\ne\nx\r',
  'control characters': '\u0001\u007f\u0085\u2028\ufeff',
  'noncharacters and the replacement character': '\ufffd\uffff\ufdd0',
  'one code point': 'R',
  'digits alone': '007',
};

const CATEGORY_IDS = [
  INT64_MIN,
  INT64_MIN + 1n,
  -9007199254740993n,
  -1n,
  0n,
  2147483648n,
  9007199254740993n,
  INT64_MAX - 1n,
  INT64_MAX,
];

/** The stored animal is `newPet` with that id, whichever way it is asked for. */
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

  'add assigns an id greater than those of animals added at once before it': async (catalogue) => {
    let before = 0n;
    for (let round = 0; round < 4; round++) {
      const pets = await Promise.all(Array.from({ length: 8 }, async () => catalogue.add(REX)));
      for (const { id } of pets) assert.ok(id > before, `${id} follows ${before}`);
      before = pets.reduce((greatest, { id }) => (id > greatest ? id : greatest), before);
    }
  },

  'add assigns distinct ids to animals added at once': async (catalogue) => {
    const pets = await Promise.all(Array.from({ length: 64 }, async () => catalogue.add(REX)));
    assert.equal(new Set(pets.map(({ id }) => id)).size, 64);
  },

  'add stores every one of the animals added at once': async (catalogue) => {
    const names = Array.from({ length: 64 }, (_, i) => `pet ${i}`);
    const pets = await Promise.all(names.map(async (name) => catalogue.add({ name, categoryId: 1n })));
    const found = await Promise.all(pets.map(async ({ id }) => catalogue.find(id)));
    assert.deepEqual(found, pets);
    assert.deepEqual(
      found.map((pet) => pet.name),
      names,
    );
  },

  'add shows each animal as soon as it resolves, while others are under way': async (catalogue) => {
    const adding = Array.from({ length: 32 }, async (_, i) => {
      const newPet = { name: `pet ${i}`, categoryId: BigInt(i) };
      const { id } = await catalogue.add(newPet);
      await assertStored(catalogue, id, newPet);
    });
    await Promise.all(adding);
  },

  ...Object.fromEntries(
    Object.entries(NAMES).map(([what, name]) => [
      `add keeps a name exactly: ${what}`,
      async (catalogue: PetCatalogue) => {
        const pet = await catalogue.add({ name, categoryId: 1n });
        assert.equal(pet.name, name);
        await assertStored(catalogue, pet.id, { name, categoryId: 1n });
      },
    ]),
  ),

  'add keeps a categoryId exactly over the whole of int64': async (catalogue) => {
    for (const categoryId of CATEGORY_IDS) {
      const pet = await catalogue.add({ name: 'Rex', categoryId });
      assert.equal(pet.categoryId, categoryId);
      await assertStored(catalogue, pet.id, { name: 'Rex', categoryId });
    }
  },

  'add keeps each status': async (catalogue) => {
    for (const status of PET_STATUSES) {
      const { id } = await catalogue.add({ ...REX, status });
      await assertStored(catalogue, id, { ...REX, status });
    }
  },

  'add leaves the status out if there is none': async (catalogue) => {
    const pet = await catalogue.add({ name: 'Rex', categoryId: 7n });
    assert.ok(!Object.hasOwn(pet, 'status'), 'the animal that add resolved to has a status');
    const found = await catalogue.find(pet.id);
    assert.ok(found !== undefined && !Object.hasOwn(found, 'status'), 'the animal that was found has a status');
    const [listed] = (await catalogue.list({ limit: 1 })).pets;
    assert.ok(listed !== undefined && !Object.hasOwn(listed, 'status'), 'the animal that was listed has a status');
  },

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
