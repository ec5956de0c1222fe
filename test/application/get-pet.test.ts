import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import { rejectionOf } from '../support/rejection-of.js';

async function makeStoreWithRex() {
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  return { store, rex: await store.createPet({ name: 'Rex', categoryId: 7n }) };
}

describe('getPet', () => {
  it('resolves to the animal with this id, as bigint or as number', async () => {
    const { store, rex } = await makeStoreWithRex();
    expect(await store.getPet(1n)).to.deep.equal(rex);
    expect(await store.getPet(1)).to.deep.equal(rex);
  });

  it('rejects with pet_not_found if no animal has the id, also beyond int64', async () => {
    const { store } = await makeStoreWithRex();
    for (const id of [
      2n,
      0n,
      -1n,
      INT64_MIN,
      INT64_MAX,
      INT64_MIN - 1n,
      INT64_MAX + 1n,
      2n ** 64n + 1n,
      2,
      Number.MAX_SAFE_INTEGER,
    ]) {
      const error = await rejectionOf(store.getPet(id));
      expect(error).to.include({ name: 'AnimalStoreError', code: 'pet_not_found', message: 'no animal has this id' });
    }
  });

  it('rejects with a TypeError for an id that is neither a bigint nor a safe integer', async () => {
    const { store } = await makeStoreWithRex();
    for (const id of [1.5, NaN, 2 ** 53, '1', null, undefined, [1n]]) {
      const error = await rejectionOf(store.getPet(id as number));
      expect(error).to.be.an.instanceof(TypeError).with.property('message', 'id must be a bigint or a safe integer');
    }
  });
});
