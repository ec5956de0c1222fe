import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { rejectionOf } from '../support/rejection-of.js';

const REX = { name: 'Rex', categoryId: 7, status: 'available' } as const;

function makeStore() {
  return createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
}

describe('createPetOnce', () => {
  it('resolves to the animal of the first call, and says whether it was stored already', async () => {
    const store = makeStore();
    const pet = { id: 1n, ...REX, categoryId: 7n };
    expect(await store.createPetOnce(REX, 'mine')).to.deep.equal({ pet, replayed: false });
    expect(await store.createPetOnce({ ...REX, categoryId: 7n }, 'mine')).to.deep.equal({ pet, replayed: true });
    expect(await store.listPets()).to.deep.equal({ pets: [pet] });
  });

  it('uses up no key for an animal that it refuses', async () => {
    const store = makeStore();
    const error = await rejectionOf(store.createPetOnce({ ...REX, name: '' }, 'mine'));
    expect(error).to.have.property('code', 'invalid_pet');
    expect((await store.createPetOnce({ ...REX, name: 'Tom' }, 'mine')).pet.name).to.equal('Tom');
  });

  it('rejects with a TypeError, and stores nothing, for a text that cannot be a key', async () => {
    const store = makeStore();
    const error = await rejectionOf(store.createPetOnce(REX, 'x'.repeat(1025)));
    expect(error).to.be.an.instanceof(TypeError);
    expect((error as TypeError).message).to.match(/^idempotencyKey must be a string of 1 to 1024 UTF-16 code units/);
    expect(await store.listPets()).to.deep.equal({ pets: [] });
  });

  it('rejects with idempotency_not_supported, and stores nothing, on a catalogue without addOnce', async () => {
    const catalogue = Object.assign(new InMemoryPetCatalogue(), { addOnce: undefined });
    const store = createAnimalStore({ catalogue });
    expect(await rejectionOf(store.createPetOnce(REX, 'mine'))).to.have.property('code', 'idempotency_not_supported');
    expect(await store.listPets()).to.deep.equal({ pets: [] });
  });
});
