import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore, type AnimalStore } from '../../../src/application/animal-store.js';
import { importPets, type PetToImport } from '../../../src/application/transfer/import-pets.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { except } from '../../support/except.js';
import { rejectionOf } from '../../support/rejection-of.js';

function petsToImport(count: number): PetToImport[] {
  return Array.from({ length: count }, (_, i) => ({
    input: { name: `pet ${i + 1}`, categoryId: 1n },
    idempotencyKey: `line ${i + 1}`,
  }));
}

describe('importPets', () => {
  let catalogue: InMemoryPetCatalogue;
  let store: AnimalStore;

  beforeEach(() => {
    catalogue = new InMemoryPetCatalogue();
    store = createAnimalStore({ catalogue });
  });

  /** The catalogue with another `addOnce`. */
  function withAddOnce(once: Required<Pick<PetCatalogue, 'addOnce'>>): PetCatalogue {
    return except<PetCatalogue>(catalogue, once);
  }

  const stored = async (): Promise<number> => {
    const { pets, next } = await store.listPets({ limit: 100 });
    expect(next).to.equal(undefined);
    return pets.length;
  };

  it('creates each animal, in the order given', async () => {
    expect(await importPets({ catalogue }, petsToImport(90))).to.deep.equal({ created: 90, replayed: 0 });
    for (const id of [1n, 45n, 90n]) expect(await store.getPet(id)).to.include({ name: `pet ${id}` });
    expect(await stored()).to.equal(90);
  });

  it('creates nothing twice if it is repeated, and completes an interrupted import', async () => {
    await importPets({ catalogue }, petsToImport(40));
    expect(await importPets({ catalogue }, petsToImport(90))).to.deep.equal({ created: 50, replayed: 40 });
    expect(await stored()).to.equal(90);
  });

  for (const [what, options, atMost] of [
    ['as many concurrent creations as requested', { concurrency: 3 }, 3],
    ['256 concurrent creations by default', {}, 256],
  ] as const) {
    it(`starts at most ${what}, and reports its progress`, async () => {
      let underWay = 0;
      let most = 0;
      const told: number[] = [];
      const counting = withAddOnce({
        async addOnce(newPet, key) {
          most = Math.max(most, ++underWay);
          await new Promise(setImmediate);
          underWay--;
          return catalogue.addOnce(newPet, key);
        },
      });
      await importPets({ catalogue: counting }, petsToImport(300), {
        ...options,
        onProgress: (done) => told.push(done),
      });
      expect(most).to.equal(atMost);
      expect(told).to.deep.equal(Array.from({ length: 300 }, (_, i) => i + 1));
    });
  }

  it('rejects with the first error, once no creation is pending, and reads no more animals', async () => {
    let underWay = 0;
    let taken = 0;
    let isClosed = false;
    const failing = withAddOnce({
      async addOnce(newPet, key) {
        underWay++;
        await new Promise(setImmediate);
        underWay--;
        if (key === 'line 5') throw new Error('the disk is full');
        return catalogue.addOnce(newPet, key);
      },
    });
    async function* pets() {
      try {
        for (const pet of petsToImport(90)) {
          taken++;
          yield pet;
        }
      } finally {
        isClosed = true;
      }
    }
    const error = await rejectionOf(importPets({ catalogue: failing }, pets(), { concurrency: 4 }));
    expect(error).to.have.property('message', 'the disk is full');
    expect(underWay).to.equal(0);
    expect(taken).to.be.below(20);
    expect(isClosed).to.equal(true);
  });

  it('refuses a concurrency that is not a positive integer', async () => {
    for (const concurrency of [0, 1.5, Number.NaN]) {
      expect(await rejectionOf(importPets({ catalogue }, [], { concurrency }))).to.be.instanceOf(TypeError);
    }
    expect(await importPets({ catalogue }, petsToImport(2), { concurrency: 1 })).to.include({ created: 2 });
  });
});
