import { expect } from 'chai';
import { PetIdCounter } from '../../../../src/adapters/mongodb/pets/pet-id-counter.js';
import type { PetDocument } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { useMongodb } from '../../../support/use-mongodb.js';

const { signal } = new AbortController();
const LIMITS = { signal, options: () => ({ maxTimeMS: 30_000, signal }) };

describe('PetIdCounter', () => {
  const mongodb = useMongodb();

  it('compares a block with the animals stored if it was made suspect while it reserved the block', async () => {
    const db = mongodb.createDatabase();
    const pets = db.collection<PetDocument>('pets', { useBigInt64: true });
    const counter = new PetIdCounter(db, pets, { deadlineMs: 30_000, observe: undefined });
    expect(await counter.reserve(10, LIMITS)).to.deep.equal({ first: 1n, last: 10n });
    await pets.insertOne({ _id: 500n, name: 'Rex', categoryId: 7n });
    const reserving = counter.reserve(10, LIMITS);
    counter.suspect();
    expect(await reserving).to.deep.equal({ first: 501n, last: 510n });
  });
});
