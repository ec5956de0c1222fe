import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore, type AnimalStore } from '../../src/application/animal-store.js';
import type { AnimalStoreError } from '../../src/domain/errors.js';
import type { NewPetInput, Pet } from '../../src/domain/pet.js';
import { rejectionOf } from '../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7, status: 'available' } as const;
const STORED = { id: 1n, ...REX, categoryId: 7n };

describe('a creation', () => {
  let store: AnimalStore;

  beforeEach(() => {
    store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  });

  it('by createPet resolves to the animal with the id that the catalogue assigned', async () => {
    const pet = await store.createPet(REX);
    expect(pet).to.deep.equal(STORED);
    expect(Object.isFrozen(pet)).to.equal(true);
  });

  it('by createPetOnce resolves to the animal of the first call, and says whether it was stored already', async () => {
    expect(await store.createPetOnce(REX, 'mine')).to.deep.equal({ pet: STORED, replayed: false });
    expect(await store.createPetOnce({ ...REX, categoryId: 7n }, 'mine')).to.deep.equal({
      pet: STORED,
      replayed: true,
    });
    expect(await store.listPets()).to.deep.equal({ pets: [STORED] });
  });

  it('rejects with invalid_pet, naming every fault, and uses up neither an id nor a key', async () => {
    const input = { name: ' ', categoryId: 0.5 };
    for (const call of [store.createPet(input), store.createPetOnce(input, 'mine')]) {
      const error = (await rejectionOf(call)) as AnimalStoreError;
      expect(error).to.have.property('code', 'invalid_pet');
      expect(error.faults.map(({ member }) => member)).to.deep.equal(['name', 'categoryId']);
    }
    expect(await store.createPetOnce(REX, 'mine')).to.deep.equal({ pet: STORED, replayed: false });
  });

  it('never throws: a caller without arguments gets a rejection too', async () => {
    const error = await rejectionOf(store.createPet(undefined as unknown as NewPetInput));
    expect(error).to.have.property('code', 'invalid_pet');
  });

  it('ignores a second argument that is not an object, such as the index that Array.map passes', async () => {
    const createPet: (input: NewPetInput) => Promise<Pet> = store.createPet;
    expect(await Promise.all([REX, REX].map(createPet))).to.have.length(2);
  });

  it('by createPetOnce rejects with a TypeError, and stores nothing, for a text that cannot be a key', async () => {
    const error = await rejectionOf(store.createPetOnce(REX, 'x'.repeat(1025)));
    expect(error).to.be.an.instanceof(TypeError);
    expect((error as TypeError).message).to.match(/^idempotencyKey must be a string of 1 to 1024 UTF-16 code units/);
    expect(await store.listPets()).to.deep.equal({ pets: [] });
  });

  it('by createPetOnce rejects with idempotency_not_supported, and stores nothing, without addOnce', async () => {
    store = createAnimalStore({ catalogue: Object.assign(new InMemoryPetCatalogue(), { addOnce: undefined }) });
    expect(await rejectionOf(store.createPetOnce(REX, 'mine'))).to.have.property('code', 'idempotency_not_supported');
    expect(await store.listPets()).to.deep.equal({ pets: [] });
  });
});
