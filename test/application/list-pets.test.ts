import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../src/application/animal-store.js';
import { QUERY_RULES, type ListPetsInput } from '../../src/application/list-pets.js';
import { messageOfFaults } from '../../src/domain/errors.js';
import { INT64_MAX, INT64_MIN } from '../../src/domain/int64.js';
import type { PetQuery } from '../../src/domain/pet-catalogue.js';
import { rejectionOf } from '../support/rejection-of.js';

async function makeStoreOf(count: number) {
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  for (let i = 0; i < count; i++)
    await store.createPet({ name: `pet ${i}`, categoryId: i, ...(i % 2 && { status: 'sold' }) });
  return store;
}

async function expectFaults(input: unknown, ...members: (keyof typeof QUERY_RULES)[]): Promise<void> {
  const faults = members.map((member) => ({ member, rule: QUERY_RULES[member] }));
  const error = await rejectionOf((await makeStoreOf(0)).listPets(input as ListPetsInput));
  expect(error).to.deep.include({
    name: 'AnimalStoreError',
    code: 'invalid_query',
    faults,
    message: messageOfFaults(faults),
  });
}

describe('listPets', () => {
  it('lists 20 animals by ascending id if no limit is given', async () => {
    const { pets, next } = await (await makeStoreOf(21)).listPets();
    expect(pets.map(({ id }) => id)).to.deep.equal(Array.from({ length: 20 }, (_, i) => BigInt(i + 1)));
    expect(next).to.equal(20n);
  });

  it('leaves undefined members out of the query to the catalogue, and passes 0 for an id below', async () => {
    const queries: PetQuery[] = [];
    const catalogue = new (class extends InMemoryPetCatalogue {
      override async list(query: PetQuery) {
        queries.push(query);
        return super.list(query);
      }
    })();
    const store = createAnimalStore({ catalogue });
    await store.listPets({ limit: undefined, status: undefined, after: undefined });
    await store.listPets({ limit: 7, status: 'sold', after: 8 });
    await store.listPets({ after: INT64_MIN });
    expect(queries.map(Object.entries)).to.deep.equal([
      [['limit', 20]],
      [
        ['limit', 7],
        ['status', 'sold'],
        ['after', 8n],
      ],
      [
        ['limit', 20],
        ['after', 0n],
      ],
    ]);
  });

  it('accepts a limit from 1 to 100', async () => {
    const store = await makeStoreOf(101);
    for (const limit of [1, 2, 99, 100]) {
      const { pets, next } = await store.listPets({ limit });
      expect([pets.length, next]).to.deep.equal([limit, BigInt(limit)]);
    }
  });

  for (const [member, values] of Object.entries({
    limit: [0, -1, 101, 1.5, NaN, Infinity, 2 ** 53, '20', 20n, null, [20]],
    status: ['lost', 'Sold', '', null, 0],
    after: [INT64_MAX + 1n, INT64_MIN - 1n, 2 ** 64, 0.5, '1', '', null],
  })) {
    it(`refuses every other ${member}`, async () => {
      for (const value of values) await expectFaults({ [member]: value }, member as keyof typeof QUERY_RULES);
    });
  }

  it('continues after an id, as bigint or as number, over the whole range of int64', async () => {
    const store = await makeStoreOf(3);
    for (const after of [1, 1n]) {
      expect((await store.listPets({ after })).pets.map(({ id }) => id)).to.deep.equal([2n, 3n]);
    }
    expect((await store.listPets({ after: INT64_MIN })).pets.length).to.equal(3);
    expect((await store.listPets({ after: INT64_MAX })).pets.length).to.equal(0);
  });

  it('names every fault', async () => {
    await expectFaults({ limit: 0, status: 'lost', after: 0.5 }, 'limit', 'status', 'after');
  });

  it('refuses a query that is not an object', async () => {
    const store = await makeStoreOf(0);
    for (const input of [null, 20, 'sold']) {
      const error = await rejectionOf(store.listPets(input as ListPetsInput));
      expect(error).to.deep.include({ code: 'invalid_query', faults: [], message: 'a query must be an object' });
    }
  });
});
