import { expect } from 'chai';
import { hash } from 'node:crypto';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { AnimalStoreError } from '../../../src/domain/errors.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';

describe('InMemoryPetCatalogue', () => {
  verifyPetCatalogueContract({ createCatalogue: () => new InMemoryPetCatalogue(), addOnce: true, restore: true });

  itHeedsSignals(() => new InMemoryPetCatalogue());

  describe('its memory of creations', () => {
    const HOUR_MS = 60 * 60 * 1000;
    const REX = { name: 'Rex', categoryId: 7n };
    let hours: number;
    let catalogue: InMemoryPetCatalogue;

    beforeEach(() => {
      hours = 100;
      catalogue = new InMemoryPetCatalogue([], { now: () => Math.round(hours * HOUR_MS) });
    });

    it('lasts for 24 hours, however many others follow', async () => {
      const { pet } = await catalogue.addOnce(REX, 'once');
      for (let i = 1; i < 24; i++) {
        hours++;
        expect((await catalogue.addOnce(REX, `once ${i}`)).replayed).to.equal(false);
      }
      hours += 0.999;
      expect(await catalogue.addOnce(REX, 'once')).to.deep.equal({ pet, replayed: true });
    });

    it('ends after 24 hours, in the order of the creations', async () => {
      const first = await catalogue.addOnce(REX, 'first');
      hours += 12;
      const second = await catalogue.addOnce(REX, 'second');
      hours += 12;
      expect(await catalogue.addOnce({ name: 'Tom', categoryId: 8n }, 'first')).to.deep.include({ replayed: false });
      expect(await catalogue.addOnce(REX, 'second')).to.deep.equal({ ...second, replayed: true });
      expect((await catalogue.list({ limit: 100 })).pets)
        .to.have.length(3)
        .and.to.include(first.pet);
    });

    it('is not renewed by a repeat', async () => {
      await catalogue.addOnce(REX, 'once');
      hours += 23;
      await catalogue.addOnce(REX, 'once');
      hours += 1;
      expect((await catalogue.addOnce(REX, 'once')).replayed).to.equal(false);
    });

    it('ends 24 hours after a restored creation was made', async () => {
      const { pet } = await catalogue.addOnce(REX, 'once');
      const at = new Date(Date.now() - 12 * HOUR_MS);
      const sha256 = hash('sha256', 'elsewhere');
      await catalogue.restoreCreations([{ sha256, petId: pet.id, at }]);
      hours += 11.9;
      expect(await catalogue.addOnce(REX, 'elsewhere')).to.deep.equal({ pet, replayed: true });
      hours += 0.1;
      expect((await catalogue.addOnce(REX, 'elsewhere')).replayed).to.equal(false);
    });

    it('is searched for old creations once a minute', async () => {
      const SECOND = 1 / 3600;
      await catalogue.addOnce(REX, 'once');
      hours += 24 - 59 * SECOND;
      await catalogue.addOnce(REX, 'searches');
      hours += 59.5 * SECOND;
      expect((await catalogue.addOnce(REX, 'once')).replayed).to.equal(true);
      hours += 0.5 * SECOND;
      expect((await catalogue.addOnce(REX, 'once')).replayed).to.equal(false);
    });
  });

  it('lists each animal of a status once, also after older ones were restored', async () => {
    const catalogue = new InMemoryPetCatalogue();
    const sold = (id: bigint) => ({ id, name: 'Rex', categoryId: 7n, status: 'sold' }) as const;
    for (const id of [7n, 3n, 5n]) await catalogue.restore([sold(id)]);
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
