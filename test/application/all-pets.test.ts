import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { allPets } from '../../src/application/all-pets.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import type { ListPetsInput } from '../../src/application/list-pets.js';
import type { PetQuery } from '../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../support/rejection-of.js';

/** A catalogue that records its queries. */
class WatchedCatalogue extends InMemoryPetCatalogue {
  readonly queries: PetQuery[] = [];

  override async list(query: PetQuery): ReturnType<InMemoryPetCatalogue['list']> {
    this.queries.push(query);
    return super.list(query);
  }
}

describe('allPets', () => {
  const catalogue = new WatchedCatalogue(
    Array.from({ length: 250 }, (_, i) => ({
      name: `pet ${i + 1}`,
      categoryId: i,
      ...(i % 2 === 0 && { status: 'sold' as const }),
    })),
  );
  const store = createAnimalStore({ catalogue });

  beforeEach(() => void catalogue.queries.splice(0));

  async function idsOf(query?: ListPetsInput): Promise<number[]> {
    const ids: number[] = [];
    for await (const { id } of allPets(store, query)) ids.push(Number(id));
    return ids;
  }

  it('shows every animal once, by ascending id, in pages of 100', async () => {
    expect(await idsOf()).to.deep.equal(Array.from({ length: 250 }, (_, i) => i + 1));
    expect(catalogue.queries.map(({ limit }) => limit)).to.deep.equal([100, 100, 100]);
  });

  it('follows a query over its pages', async () => {
    const expected = Array.from({ length: 125 }, (_, i) => 2 * i + 1).filter((id) => id > 7);
    expect(await idsOf({ status: 'sold', after: 7, limit: 50 })).to.deep.equal(expected);
    expect(catalogue.queries).to.have.length(3);
  });

  it('shows nothing if nothing matches', async () => {
    expect(await idsOf({ status: 'pending' })).to.deep.equal([]);
  });

  it('requests no page that a loop does not reach', async () => {
    for await (const { id } of allPets(store, { limit: 10 })) if (id === 10n) break;
    expect(catalogue.queries).to.have.length(1);
  });

  it('rejects as a list does', async () => {
    expect(await rejectionOf(allPets(store, { limit: 0 }).next())).to.have.property('code', 'invalid_query');
  });
});
