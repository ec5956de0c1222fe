import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoPetCatalogue } from '../../../src/adapters/mongodb/mongo-pet-catalogue.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itAnswersAsAPlainList } from '../../support/catalogue-model.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';
import { PATIENT } from '../../support/patience.js';
import { useMongodb } from '../../support/use-mongodb.js';

describe('MongoPetCatalogue', () => {
  const mongodb = useMongodb();
  let db: Db;

  const openCatalogue = (): MongoPetCatalogue => new MongoPetCatalogue(db, PATIENT);

  async function createCatalogue(): Promise<MongoPetCatalogue> {
    db = mongodb.createDatabase();
    await prepareDatabase(db);
    return openCatalogue();
  }

  verifyPetCatalogueContract({
    addOnce: true,
    restore: true,
    createCatalogue,
    reopen: openCatalogue,
    openAnother: openCatalogue,
  });

  itHeedsSignals(createCatalogue);

  itAnswersAsAPlainList(createCatalogue);

  it('yields more records than it reads at a time, each once', async () => {
    const catalogue = await createCatalogue();
    const names = Array.from({ length: 1003 }, (_, i) => `pet ${i}`);
    await Promise.all(names.map(async (name) => catalogue.add({ name, categoryId: 7n })));
    const found: string[] = [];
    for await (const { pet } of catalogue.records()) found.push(pet.name);
    expect(found.sort()).to.deep.equal(names.sort());
  });
});

describe('an option of a MongoPetCatalogue', () => {
  const db = createMongoClient('mongodb://127.0.0.1:1/').db('animals');

  for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
    it(`cannot be a deadline of ${value}`, () => {
      expect(() => new MongoPetCatalogue(db, { deadlineMs: value })).to.throw(TypeError, 'deadlineMs');
    });
  }
});
