import { expect } from 'chai';
import type { SqliteDatabase } from '../../../src/adapters/sqlite/sqlite-database.js';
import type { PetCatalogue } from '../../../src/domain/pet-catalogue.js';
import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import {
  describeWithSqlite,
  importSqlite,
  newDatabaseFile,
  openUntilEnd,
  withRowsAsObjects,
} from '../../support/sqlite.js';

describeWithSqlite('SqlitePetCatalogue', () => {
  let file: string;
  let database: SqliteDatabase;

  async function openCatalogue(): Promise<PetCatalogue> {
    const { SqlitePetCatalogue } = await importSqlite();
    database = await openUntilEnd(file);
    return new SqlitePetCatalogue(database);
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
      openAnother: async () => {
        const { SqlitePetCatalogue } = await importSqlite();
        return new SqlitePetCatalogue(await openUntilEnd(file));
      },
      addOnce: true,
      restore: true,
    });
  }

  verifyContract();

  describe('with the rows of Node 22.13 to 22.15, which are objects', () => {
    withRowsAsObjects();
    verifyContract();
  });
});

describeWithSqlite('SqlitePetCatalogue, when it restores animals', () => {
  const REX = { name: 'Rex', categoryId: 7n } as const;
  const herd = (count: number) => Array.from({ length: count }, (_, i) => ({ id: BigInt(i + 1), ...REX }));

  it('assigns greater ids in another process, and after the file is opened again', async () => {
    const { SqlitePetCatalogue } = await importSqlite();
    const file = newDatabaseFile();
    const one = await openUntilEnd(file);
    const other = new SqlitePetCatalogue(await openUntilEnd(file));
    expect((await other.add(REX)).id).to.equal(1n);
    await new SqlitePetCatalogue(one).restore([{ id: 5000n, ...REX }]);
    expect((await other.add(REX)).id).to.equal(5001n);
    await new SqlitePetCatalogue(one).restore([{ id: 9000n, ...REX }]);
    await one.close();
    expect((await new SqlitePetCatalogue(await openUntilEnd(file)).add(REX)).id).to.equal(9001n);
  });

  it('lets other calls run before it is done', async () => {
    const { SqlitePetCatalogue } = await importSqlite();
    const catalogue = new SqlitePetCatalogue(await openUntilEnd());
    const progress = { isDone: false };
    const restoring = catalogue.restore(herd(100_000)).finally(() => (progress.isDone = true));
    let turns = 0;
    for (; !progress.isDone; turns++) {
      await catalogue.find(1n);
      await new Promise(setImmediate);
    }
    expect(turns).to.be.greaterThan(3);
    expect(await restoring).to.deep.equal({ restored: 100_000, present: 0, refused: [] });
  });
});
