import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore, type AnimalStore } from '../../src/application/animal-store.js';
import { makePet } from '../../src/domain/pet.js';

const REX = { name: 'Rex', categoryId: 7n };
const TOM = makePet(99n, { name: 'Tom', categoryId: 8n });

function makeStore(): { catalogue: InMemoryPetCatalogue; store: AnimalStore } {
  const catalogue = new InMemoryPetCatalogue();
  return { catalogue, store: createAnimalStore({ catalogue }) };
}

describe('an animal store', () => {
  it('is a plain object, whose methods a test can replace and restore, as spies do', async () => {
    const { store } = makeStore();
    const { getPet } = store;
    for (const name of Object.keys(store))
      expect(Object.getOwnPropertyDescriptor(store, name)).to.include({ configurable: true, writable: true });
    store.getPet = async () => TOM;
    expect(await store.getPet(1)).to.equal(TOM);
    store.getPet = getPet;
    expect(await store.getPet(1).catch((error: unknown) => error)).to.have.property('code', 'pet_not_found');
  });

  it('calls the method that the catalogue has at the time of each call, such as one that a test has replaced', async () => {
    const { catalogue, store } = makeStore();
    catalogue.add = async () => TOM;
    catalogue.addOnce = async () => ({ pet: TOM, replayed: true });
    catalogue.find = async () => TOM;
    catalogue.list = async () => ({ pets: [TOM] });
    expect(await store.createPet(REX)).to.equal(TOM);
    expect(await store.createPetOnce(REX, 'mine')).to.deep.equal({ pet: TOM, replayed: true });
    expect(await store.getPet(1)).to.equal(TOM);
    expect(await store.listPets()).to.deep.equal({ pets: [TOM] });
  });
});
