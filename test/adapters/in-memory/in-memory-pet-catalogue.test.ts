import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';

describe('InMemoryPetCatalogue', () => {
  verifyPetCatalogueContract({ createCatalogue: () => new InMemoryPetCatalogue(), addOnce: true, restore: true });

  itHeedsSignals(() => new InMemoryPetCatalogue());

  it('works behind a Proxy, as frameworks of front ends put it', async () => {
    const catalogue = new Proxy(new InMemoryPetCatalogue(), {});
    const { pet } = await catalogue.addOnce({ name: 'Rex', categoryId: 7n }, 'once');
    expect(await catalogue.find(1n)).to.equal(pet);
  });

  it('lists each animal of a status once, also after older ones were restored', async () => {
    const catalogue = new InMemoryPetCatalogue();
    const sold = (id: bigint) => ({ id, name: 'Rex', categoryId: 7n, status: 'sold' }) as const;
    for (const id of [7n, 3n, 5n]) await catalogue.restore([{ pet: sold(id) }]);
    expect(await catalogue.list({ limit: 100, status: 'sold' })).to.deep.equal({ pets: [3n, 5n, 7n].map(sold) });
  });

  describe('made with animals', () => {
    const REX = { name: 'Rex', categoryId: 7, status: 'available' } as const;
    const TOM = { name: 'Tom', categoryId: 8n };

    it('has these animals, with ids from 1 in their order', async () => {
      const catalogue = new InMemoryPetCatalogue([REX, TOM]);
      const pets = [
        { id: 1n, ...REX, categoryId: 7n },
        { id: 2n, ...TOM },
      ];
      expect(await catalogue.list({ limit: 100 })).to.deep.equal({ pets });
      expect(await catalogue.list({ limit: 100, status: 'available' })).to.deep.equal({ pets: pets.slice(0, 1) });
    });

    it('assigns the next animal the id after theirs', async () => {
      const catalogue = new InMemoryPetCatalogue(new Set([REX, TOM]));
      expect((await catalogue.add(TOM)).id).to.equal(3n);
    });

    it('refuses an animal that breaks a rule', () => {
      expect(() => new InMemoryPetCatalogue([REX, { name: '', categoryId: 7 }]))
        .to.throw(AnimalStoreError, /^name must /)
        .with.property('code', 'invalid_pet');
    });
  });
});
