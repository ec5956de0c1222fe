import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { AnimalStoreError } from '../../src/domain/errors.js';
import type { NewPetInput, Pet } from '../../src/domain/pet.js';
import { rejectionOf } from '../support/rejection-of.js';

function makeStore() {
  return createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
}

describe('createPet', () => {
  it('resolves to the animal with the id that the catalogue assigned', async () => {
    const pet = await makeStore().createPet({ name: 'Rex', categoryId: 7, status: 'available' });
    expect(pet).to.deep.equal({ id: 1n, name: 'Rex', categoryId: 7n, status: 'available' });
    expect(Object.isFrozen(pet)).to.equal(true);
  });

  it('rejects with invalid_pet, naming every fault', async () => {
    const error = await rejectionOf(makeStore().createPet({ name: ' ', categoryId: 0.5 }));
    expect(error).to.have.property('code', 'invalid_pet');
    const { faults } = error as AnimalStoreError;
    expect(faults.map(({ member }) => member)).to.deep.equal(['name', 'categoryId']);
  });

  it('stores nothing of an animal that it refuses', async () => {
    const store = makeStore();
    await rejectionOf(store.createPet({ name: '', categoryId: 7n }));
    expect(await store.listPets()).to.deep.equal({ pets: [] });
    expect((await store.createPet({ name: 'Rex', categoryId: 7n })).id).to.equal(1n);
  });

  it('never throws: a caller without arguments gets a rejection too', async () => {
    expect(await rejectionOf(makeStore().createPet(undefined as unknown as NewPetInput))).to.have.property(
      'code',
      'invalid_pet',
    );
  });

  it('ignores a second argument that is not an object, such as the index that Array.map passes', async () => {
    const store = makeStore();
    const input: NewPetInput = { name: 'Rex', categoryId: 7n };
    const createPet: (input: NewPetInput) => Promise<Pet> = store.createPet;
    expect(await Promise.all([input, input].map(createPet))).to.have.length(2);
  });
});
