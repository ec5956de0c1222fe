import { expect } from 'chai';
import type { SqliteDatabase } from '../../../src/adapters/sqlite/sqlite-database.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { itHeedsSignals } from '../../support/it-heeds-signals.js';
import {
  catalogueOn,
  describeWithSqlite,
  newDatabaseFile,
  openUntilEnd,
  withRowsAsObjects,
} from '../../support/sqlite.js';

describeWithSqlite('SqlitePetCatalogue', () => {
  let file: string;
  let database: SqliteDatabase;

  async function openCatalogue(): Promise<PetCatalogue> {
    database = await openUntilEnd(file);
    return catalogueOn(database);
  }

  function verifyContract(): void {
    verifyPetCatalogueContract({
      createCatalogue: async () => {
        file = newDatabaseFile();
        return openCatalogue();
      },
      reopen: async () => {
        await database.close();
        return openCatalogue();
      },
      openAnother: async () => catalogueOn(await openUntilEnd(file)),
      addOnce: true,
      restore: true,
    });
  }

  verifyContract();

  itHeedsSignals(catalogueOn);

  describe('with the rows of Node 22.13 to 22.15, which are objects', () => {
    withRowsAsObjects();
    verifyContract();
  });
});

describeWithSqlite('SqlitePetCatalogue, when it restores animals', () => {
  it('lets other calls run before it is done', async () => {
    const catalogue = await catalogueOn();
    const pets = Array.from({ length: 100_000 }, (_, i) => ({ id: BigInt(i + 1), name: 'Rex', categoryId: 7n }));
    const progress = { isDone: false };
    const restoring = catalogue.restore(pets).finally(() => (progress.isDone = true));
    let turns = 0;
    for (; !progress.isDone; turns++) {
      await catalogue.find(1n);
      await new Promise(setImmediate);
    }
    expect(turns).to.be.greaterThan(3);
    expect(await restoring).to.deep.equal({ restored: 100_000, present: 0, refused: [] });
  });
});
