import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { AnimalStoreError } from '../../src/domain/errors.js';
import type { NewPetInput } from '../../src/domain/pet.js';
import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
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

  it('makes up no status', async () => {
    expect(await makeStore().createPet({ name: 'Rex', categoryId: 7n })).not.to.have.property('status');
  });

  it('ignores an id that the caller supplies', async () => {
    const input: NewPetInput = { name: 'Rex', categoryId: 7n };
    expect((await makeStore().createPet(Object.assign(input, { id: 99n }))).id).to.equal(1n);
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
});

/** A store on a catalogue that has the methods of every catalogue, and no other. */
function makeStoreWithoutOnce() {
  const inMemory = new InMemoryPetCatalogue();
  const catalogue: PetCatalogue = {
    add: async (newPet) => inMemory.add(newPet),
    list: async (query) => inMemory.list(query),
    find: async (id) => inMemory.find(id),
  };
  return createAnimalStore({ catalogue });
}

describe('createPet with once', () => {
  const REX = { name: 'Rex', categoryId: 7, status: 'available' } as const;

  it('resolves to the animal of the first time', async () => {
    const store = makeStore();
    const pet = await store.createPet(REX, { once: 'mine' });
    expect(pet).to.deep.equal({ id: 1n, ...REX, categoryId: 7n });
    expect(await store.createPet({ ...REX, categoryId: 7n }, { once: 'mine' })).to.deep.equal(pet);
    expect(await store.listPets()).to.deep.equal({ pets: [pet] });
  });

  it('rejects with once_key_reused for another animal', async () => {
    const store = makeStore();
    await store.createPet(REX, { once: 'mine' });
    const error = await rejectionOf(store.createPet({ ...REX, status: 'sold' }, { once: 'mine' }));
    expect(error).to.have.property('code', 'once_key_reused');
    expect((await store.listPets()).pets).to.have.length(1);
  });

  it('adds an animal each time without it, or if it is undefined', async () => {
    const store = makeStore();
    for (const options of [undefined, {}, { once: undefined }]) await store.createPet(REX, options);
    expect((await store.listPets()).pets).to.have.length(3);
  });

  it('can be given to Array.map, which adds an index', async () => {
    const store = makeStoreWithoutOnce();
    expect(
      await Promise.all([REX, REX].map(store.createPet as (input: NewPetInput) => Promise<unknown>)),
    ).to.have.length(2);
  });

  it('uses up nothing for an animal that it refuses', async () => {
    const store = makeStore();
    const error = await rejectionOf(store.createPet({ ...REX, name: '' }, { once: 'mine' }));
    expect(error).to.have.property('code', 'invalid_pet');
    expect((await store.createPet({ ...REX, name: 'Tom' }, { once: 'mine' })).name).to.equal('Tom');
  });

  for (const once of ['', 'x'.repeat(1025), '\ud83d', 'x\0', null, 7, {}]) {
    it(`rejects with a TypeError, and stores nothing, for ${JSON.stringify(once).slice(0, 20)}`, async () => {
      const store = makeStore();
      const error = await rejectionOf(store.createPet(REX, { once: once as string }));
      expect(error).to.be.an.instanceof(TypeError);
      expect((error as TypeError).message).to.match(/^once must be a string of 1 to 1024 UTF-16 code units/);
      expect(await store.listPets()).to.deep.equal({ pets: [] });
    });
  }

  it('rejects with a TypeError, and stores nothing, on a catalogue without addOnce', async () => {
    const store = makeStoreWithoutOnce();
    const error = await rejectionOf(store.createPet(REX, { once: 'mine' }));
    expect(error).to.be.an.instanceof(TypeError).with.property('message', 'once needs a catalogue that has addOnce');
    expect(await store.listPets()).to.deep.equal({ pets: [] });
  });
});

describe('createPetOnce', () => {
  const REX = { name: 'Rex', categoryId: 7 };

  it('tells whether the animal was there already', async () => {
    const store = makeStore();
    const pet = { id: 1n, name: 'Rex', categoryId: 7n };
    expect(await store.createPetOnce?.(REX, 'mine')).to.deep.equal({ pet, replayed: false });
    expect(await store.createPetOnce?.(REX, 'mine')).to.deep.equal({ pet, replayed: true });
  });

  it('shares its texts with createPet', async () => {
    const store = makeStore();
    await store.createPet(REX, { once: 'mine' });
    expect(await store.createPetOnce?.(REX, 'mine')).to.have.property('replayed', true);
  });

  it('is left out on a catalogue without addOnce', () => {
    expect(makeStoreWithoutOnce()).to.have.all.keys('listPets', 'createPet', 'getPet');
  });
});
