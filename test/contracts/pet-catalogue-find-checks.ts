import assert from 'node:assert/strict';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import type { Checks } from './test-runner.js';

export const findChecks: Checks<PetCatalogue> = {
  'find resolves to the animal with exactly this id': async (catalogue) => {
    const pets = [];
    for (const name of ['Rex', 'Tom', 'Kim']) pets.push(await catalogue.add({ name, categoryId: 1n, status: 'sold' }));
    for (const pet of pets) assert.deepEqual(await catalogue.find(pet.id), pet);
  },

  'find resolves to undefined for every id that no animal has': async (catalogue) => {
    assert.equal(await catalogue.find(1n), undefined);
    const { id } = await catalogue.add({ name: 'Rex', categoryId: 1n });
    const others = [
      INT64_MIN,
      -id,
      -1n,
      0n,
      id + 1n,
      id + 4294967296n,
      9007199254740992n,
      9007199254740993n,
      INT64_MAX - 1n,
      INT64_MAX,
    ];
    for (const other of others) assert.equal(await catalogue.find(other), undefined, `id ${other}`);
  },

  'find sees an animal that it did not find before it was added': async (catalogue) => {
    const { id } = await catalogue.add({ name: 'Rex', categoryId: 1n });
    for (const next of [id + 1n, id + 2n]) assert.equal(await catalogue.find(next), undefined);
    const pet = await catalogue.add({ name: 'Tom', categoryId: 1n });
    assert.deepEqual(await catalogue.find(pet.id), pet);
  },
};
