import { expect } from 'chai';
import { Cancellation } from '../../../../src/adapters/mongodb/cancellation.js';
import { collectionOptions } from '../../../../src/adapters/mongodb/collection-options.js';
import { MongoCreation, type CreationDocument } from '../../../../src/adapters/mongodb/pets/mongo-creation.js';
import type { PetDocument } from '../../../../src/adapters/mongodb/pets/pet-document.js';
import { makePet } from '../../../../src/domain/pet.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';

const REX = makePet(1n, { name: 'Rex', categoryId: 7n });

/** Every step of a creation that asks the server for something. */
const STEPS: Readonly<Record<string, (creation: MongoCreation) => Promise<unknown>>> = {
  reserve: async (creation) => creation.reserve(REX),
  reserved: async (creation) => creation.reserved(),
  renew: async (creation) => creation.renew(1n),
  move: async (creation) => creation.move(1n, 2n),
  store: async (creation) => creation.store(REX),
  standing: async (creation) => creation.standing(REX),
};

describe('a creation in MongoDB whose deadline has passed', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);

  for (const [name, step] of Object.entries(STEPS)) {
    it(`sends nothing more: ${name}`, async () => {
      const collections = {
        creations: db().collection<CreationDocument>('creations', collectionOptions(5000)),
        pets: db().collection<PetDocument>('pets', collectionOptions(5000)),
      };
      const passed = new Error('the deadline has passed');
      const cancellation = new Cancellation();
      cancellation.cancel(passed);
      const { signal } = cancellation;
      const limits = { signal, options: () => ({ maxTimeMS: 1000, signal }) };
      const creation = new MongoCreation(collections, 'once', limits);
      let rejection: unknown;
      const sent = await commandsOf(client(), async () => (rejection = await rejectionOf(step(creation))));
      expect(rejection).to.equal(passed);
      expect(sent).to.deep.equal([]);
    });
  }
});
