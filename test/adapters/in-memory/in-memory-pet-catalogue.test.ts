import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';

describe('InMemoryPetCatalogue', () => {
  verifyPetCatalogueContract({ createCatalogue: () => new InMemoryPetCatalogue() });

  describe('made with animals', () => {
    const REX = { name: 'Rex', categoryId: 7, status: 'available' } as const;
    const TOM = { name: 'Tom', categoryId: 8n };

    it('holds them, numbered from 1 in their order', async () => {
      const catalogue = new InMemoryPetCatalogue([REX, TOM]);
      const pets = [
        { id: 1n, ...REX, categoryId: 7n },
        { id: 2n, ...TOM },
      ];
      expect(await catalogue.list({ limit: 100 })).to.deep.equal({ pets });
      expect(await catalogue.list({ limit: 100, status: 'available' })).to.deep.equal({ pets: pets.slice(0, 1) });
    });

    it('numbers the next animal after them', async () => {
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
