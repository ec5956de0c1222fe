import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { createAnimalStore } from 'animal-store';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';
import { writeCatalogueLetter } from './catalogue-letter.js';

describe('the letter', () => {
  /** @type {import('animal-store').AnimalStore} */
  let store;
  beforeEach(() => {
    store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  });

  it('names the animals that are available, and no other', async () => {
    await store.createPet({ name: 'Rex', categoryId: 1, status: 'available' });
    await store.createPet({ name: 'Tom', categoryId: 2, status: 'sold' });
    await store.createPet({ name: 'Kim', categoryId: 1, status: 'available' });
    assert.equal(await writeCatalogueLetter(store), 'Waiting for you: Rex and Kim.');
  });

  it('names those beyond the first page too', async () => {
    for (let i = 1; i <= 101; i++) await store.createPet({ name: `pet ${i}`, categoryId: 1, status: 'available' });
    assert.match(await writeCatalogueLetter(store), /pet 100, and pet 101\.$/);
  });

  it('says so where no animal is available', async () => {
    assert.equal(await writeCatalogueLetter(store), 'Come again soon: every animal has found a home.');
  });
});
