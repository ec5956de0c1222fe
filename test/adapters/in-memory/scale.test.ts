import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { PET_STATUSES } from '../../../src/domain/pet-status.js';

const COUNT = 1_000_000;
const TRIES = 50;
const STATUSES = [...PET_STATUSES, undefined];

const QUERIES = {
  'the first page': { limit: 100 },
  'the first page of a status': { limit: 100, status: 'sold' },
  'a late page': { limit: 100, after: 900_000n },
  'a late page of a status': { limit: 100, status: 'sold', after: 900_000n },
  'a page beyond the end': { limit: 100, status: 'pending', after: 2n ** 63n - 1n },
} as const;

/** The time of the fastest of several calls, in milliseconds: other work on the machine delays only some of them. */
async function fastest(call: () => unknown): Promise<number> {
  let ms = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const start = performance.now();
    await call();
    ms = Math.min(ms, performance.now() - start);
  }
  return ms;
}

describe('InMemoryPetCatalogue with a million animals', () => {
  let catalogue: InMemoryPetCatalogue;
  /** A small part of the time in which all animals can be gone through. */
  let shortMs: number;

  before(async () => {
    const pets = Array.from({ length: COUNT }, (_, i) => {
      const status = STATUSES[i % STATUSES.length];
      return { name: `pet ${i}`, categoryId: i, ...(status && { status }) };
    });
    catalogue = new InMemoryPetCatalogue(pets);
    shortMs = (await fastest(() => pets.filter(({ categoryId }) => categoryId < 0))) / 20;
  });

  it('finds one of them without going through the others', async () => {
    expect((await catalogue.find(1_000_000n))?.name).to.equal('pet 999999');
    expect(await fastest(async () => catalogue.find(1_000_000n))).to.be.lessThan(shortMs);
  });

  for (const [what, query] of Object.entries(QUERIES)) {
    it(`lists ${what} without going through the others`, async () => {
      expect(await fastest(async () => catalogue.list(query))).to.be.lessThan(shortMs);
    });
  }
});
