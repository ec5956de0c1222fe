import assert from 'node:assert/strict';
import { INT64_MAX } from '../../src/domain/int64.js';
import type { PetCatalogue, PetQuery } from '../../src/domain/pet-catalogue.js';
import { PET_STATUSES, type PetStatus } from '../../src/domain/pet-status.js';
import type { Pet } from '../../src/domain/pet.js';
import { petsOf } from './pet-catalogue-subject.js';
import type { Checks } from './test-runner.js';

/** Adds animals one after the other, one for each status given; `undefined` adds one without. */
async function stock(catalogue: PetCatalogue, statuses: readonly (PetStatus | undefined)[]): Promise<Pet[]> {
  const pets: Pet[] = [];
  for (const [i, status] of statuses.entries()) {
    pets.push(await catalogue.add({ name: `pet ${i}`, categoryId: BigInt(i), ...(status && { status }) }));
  }
  return pets;
}

/** `count` animals, whose statuses cycle through available, pending, sold and none. */
async function stockMixed(catalogue: PetCatalogue, count: number): Promise<Pet[]> {
  const cycle = [...PET_STATUSES, undefined];
  return stock(
    catalogue,
    Array.from({ length: count }, (_, i) => cycle[i % cycle.length]),
  );
}

export const listChecks: Checks<PetCatalogue> = {
  'list is an empty page without next in an empty catalogue': async (catalogue) => {
    assert.deepEqual(await catalogue.list({ limit: 100 }), { pets: [] });
    for (const status of PET_STATUSES) assert.deepEqual(await catalogue.list({ limit: 100, status }), { pets: [] });
  },

  'list returns at most limit animals, up to 100, complete and by ascending id': async (catalogue) => {
    const pets = await stockMixed(catalogue, 101);
    for (const limit of [1, 2, 11, 100]) {
      assert.deepEqual((await catalogue.list({ limit })).pets, pets.slice(0, limit), `limit ${limit}`);
    }
  },

  'list has the id of its last animal as next if more match, and otherwise no next': async (catalogue) => {
    const pets = await stockMixed(catalogue, 5);
    for (const limit of [1, 4]) assert.equal((await catalogue.list({ limit })).next, pets[limit - 1]?.id);
    const last: Readonly<Record<string, PetQuery>> = {
      'a page as long as the list': { limit: 5 },
      'a page longer than the list': { limit: 6 },
      'a page that ends the list': { limit: 2, after: pets[2]?.id as bigint },
      'the only animal that is sold': { limit: 1, status: 'sold' },
    };
    for (const [what, query] of Object.entries(last)) {
      assert.ok(!('next' in (await catalogue.list(query))), `${what} has a next`);
    }
  },

  'list starts right after any id given as after, and after 0, whether or not an animal has it': async (catalogue) => {
    const pets = await stockMixed(catalogue, 6);
    for (const after of [0n, ...pets.map(({ id }) => id), 9007199254740993n, INT64_MAX]) {
      const expected = pets.filter(({ id }) => id > after);
      assert.deepEqual((await catalogue.list({ limit: 100, after })).pets, expected, `after ${after}`);
    }
    const sold = pets.filter(({ status }) => status === 'sold');
    const between = (sold[0]?.id as bigint) - 1n;
    assert.deepEqual((await catalogue.list({ limit: 100, status: 'sold', after: between })).pets, sold);
  },

  'list returns only the animals with the requested status': async (catalogue) => {
    const pets = await stockMixed(catalogue, 13);
    for (const status of PET_STATUSES) {
      const expected = pets.filter((pet) => pet.status === status);
      assert.deepEqual((await catalogue.list({ limit: 100, status })).pets, expected, status);
    }
  },

  'list gives each animal exactly once over its pages, also with a status': async (catalogue) => {
    const pets = await stockMixed(catalogue, 23);
    for (const limit of [1, 2, 3, 7, 100]) {
      assert.deepEqual(await petsOf(catalogue, { limit }), pets, `limit ${limit}`);
      for (const status of PET_STATUSES) {
        const expected = pets.filter((pet) => pet.status === status);
        assert.deepEqual(await petsOf(catalogue, { limit, status }), expected, `limit ${limit}, ${status}`);
      }
    }
  },

  'list shows animals that were added since the previous page, or since it was empty': async (catalogue) => {
    assert.deepEqual(await catalogue.list({ limit: 1, status: 'sold' }), { pets: [] });
    const [first, second] = await stock(catalogue, ['sold', 'sold']);
    const page = await catalogue.list({ limit: 1, status: 'sold' });
    assert.deepEqual(page, { pets: [first], next: first?.id });
    const third = await catalogue.add({ name: 'late', categoryId: 1n, status: 'sold' });
    const rest = await catalogue.list({ limit: 100, status: 'sold', after: page.next as bigint });
    assert.deepEqual(rest.pets, [second, third]);
  },

  'list returns an array that the caller may change': async (catalogue) => {
    const pets = await stockMixed(catalogue, 3);
    const page = await catalogue.list({ limit: 100 });
    (page.pets as Pet[]).reverse().pop();
    assert.deepEqual((await catalogue.list({ limit: 100 })).pets, pets);
  },
};
