import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { AnimalStoreError, createAnimalStore } from 'animal-store';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';
import { writeCatalogueLetter } from './catalogue-letter.js';

describe('the letter', () => {
  /** @type {import('animal-store').AnimalStore} */
  let store;
  beforeEach(() => {
    const catalogue = new InMemoryPetCatalogue([
      { name: 'Rex', categoryId: 1, status: 'available' },
      { name: 'Tom', categoryId: 2, status: 'sold' },
      { name: 'Kim', categoryId: 1, status: 'available' },
    ]);
    store = createAnimalStore({ catalogue });
  });

  it('names the animals that are available, and no other', async () => {
    assert.equal(await writeCatalogueLetter(store), 'Waiting for you: Rex and Kim.');
  });

  it('names the animals beyond the first page too', async () => {
    for (let i = 1; i <= 99; i++) await store.createPet({ name: `pet ${i}`, categoryId: 1, status: 'available' });
    assert.match(await writeCatalogueLetter(store), /pet 98, and pet 99\.$/);
  });

  it('says so if no animal is available', async () => {
    const empty = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    assert.equal(await writeCatalogueLetter(empty), 'Come again soon: every animal has found a home.');
  });

  it('is not written while the store is down', async () => {
    class SilentCatalogue extends InMemoryPetCatalogue {
      /** @returns {Promise<never>} */
      async list() {
        throw new AnimalStoreError('store_unavailable', 'the database does not answer');
      }
    }
    const down = createAnimalStore({ catalogue: new SilentCatalogue() });
    await assert.rejects(writeCatalogueLetter(down), { code: 'store_unavailable' });
  });
});
