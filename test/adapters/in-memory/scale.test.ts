import { Session } from 'node:inspector/promises';
import { expect } from 'chai';
import type * as adapter from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { PET_STATUSES } from '../../../src/domain/pet-status.js';
import type { PetCatalogue, PetQuery } from '../../../src/domain/pet-catalogue.js';

const CYCLE = [...PET_STATUSES, undefined];
/** This file's own copy of the module, loaded while V8 counts. */
const MODULE = new URL('../../../src/adapters/in-memory/in-memory-pet-catalogue.ts?counted', import.meta.url).href;

/** How many blocks V8 may count for each turn of a binary search: the loop body, one branch, and the code after it. */
const BLOCKS_OF_A_TURN = 3;

/** The methods of an array whose time does not depend on its length. */
const CONSTANT = new Set<PropertyKey>(['at', 'push', 'pop']);

const QUERIES: Record<string, PetQuery> = {
  'the first page': { limit: 100 },
  'the first page of a status': { limit: 100, status: 'sold' },
  'a page in the midst': { limit: 100, after: 500n },
  'a page of a status in the midst': { limit: 100, status: 'sold', after: 500n },
  'a page beyond the end': { limit: 100, status: 'pending', after: 2n ** 63n - 1n },
};

async function stock(catalogue: PetCatalogue, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const status = CYCLE[i % CYCLE.length];
    await catalogue.add({ name: `pet ${i}`, categoryId: BigInt(i), ...(status && { status }) });
  }
}

describe('InMemoryPetCatalogue with a million animals', () => {
  const session = new Session();
  let large: PetCatalogue;
  let small: PetCatalogue;

  /** How often V8 has run the functions and blocks of the adapter since the last call of this function: each iteration of a loop counts. */
  async function stepsSoFar(): Promise<number> {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const functions = result.find(({ url }) => url === MODULE)?.functions ?? [];
    return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
  }

  async function stepsToList(catalogue: PetCatalogue, query: PetQuery): Promise<number> {
    await stepsSoFar();
    await catalogue.list(query);
    return stepsSoFar();
  }

  /** The maximum number of elements that the arrays' own methods, which V8 does not count, returned while `act` ran. */
  async function longestCopy(act: () => Promise<unknown>): Promise<number> {
    const names = Reflect.ownKeys(Array.prototype).filter((name) => name !== 'constructor');
    const methods = names.map((name) => [name, Object.getOwnPropertyDescriptor(Array.prototype, name) ?? {}] as const);
    let longest = 0;
    for (const [name, { value: method, ...rest }] of methods) {
      if (typeof method !== 'function') continue;
      const watched = function (this: unknown[], ...args: unknown[]): unknown {
        const result: unknown = Reflect.apply(method as (...args: unknown[]) => unknown, this, args);
        const handled = Array.isArray(result) ? result.length : CONSTANT.has(name) ? 0 : this.length;
        longest = Math.max(longest, handled);
        return result;
      };
      Object.defineProperty(Array.prototype, name, { ...rest, value: watched });
    }
    try {
      await act();
    } finally {
      for (const [name, method] of methods) Object.defineProperty(Array.prototype, name, method);
    }
    return longest;
  }

  before(async () => {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    const { InMemoryPetCatalogue } = (await import(MODULE)) as typeof adapter;
    await stock((small = new InMemoryPetCatalogue()), 1_000);
    await stock((large = new InMemoryPetCatalogue()), 1_000_000);
  });

  after(() => {
    session.disconnect();
  });

  it('holds all of them', async () => {
    expect((await large.find(1_000_000n))?.name).to.equal('pet 999999');
    expect((await large.list({ limit: 100, after: 999_950n })).pets.length).to.equal(50);
  });

  for (const [what, query] of Object.entries(QUERIES)) {
    it(`lists ${what} in as many steps as among a thousand, except those of the binary search`, async () => {
      const few = await stepsToList(small, query);
      const many = await stepsToList(large, query);
      expect(few).to.be.greaterThan(0);
      expect(many - few).to.be.lessThanOrEqual(BLOCKS_OF_A_TURN * Math.ceil(Math.log2(1_000)));
    });

    it(`lists ${what} without going through more animals than it returns`, async () => {
      expect(await longestCopy(async () => large.list(query))).to.be.at.most(query.limit);
    });
  }
});
