import { expect } from 'chai';
import { MongoPetCatalogue } from '../../../../src/adapters/mongodb/pets/mongo-pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../../contracts/pet-catalogue-contract.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';
import { PATIENT } from '../../../support/patience.js';

describe('MongoPetCatalogue', () => {
  const mongodb = useMongodb();

  verifyPetCatalogueContract({
    addOnce: true,
    createCatalogue: async () => {
      const catalogue = new MongoPetCatalogue(mongodb.createDatabase(), PATIENT);
      await catalogue.init();
      return catalogue;
    },
  });
});

describe('an animal whose id is taken', () => {
  const { client, db } = useWatchedDatabase(useMongodb());

  it('is tried under five ids at most', async () => {
    const rex = { name: 'Rex', categoryId: 7n } as const;
    const catalogue = new MongoPetCatalogue(db(), PATIENT);
    await catalogue.add(rex);
    // So every further insert fails as with an id that is taken.
    await db().collection('pets').createIndex({ name: 1 }, { unique: true }, {});
    let error: unknown;
    const sent = await commandsOf(client(), async () => (error = await rejectionOf(catalogue.add(rex))));
    expect(error).to.have.property('code', 11000);
    expect(sent.filter(({ name }) => name === 'insert')).to.have.length(5);
  });
});
