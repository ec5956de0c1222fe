import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { importSqlite, openUntilEnd, describeWithSqlite, withRowsAsObjects } from '../../support/sqlite.js';

describeWithSqlite('SqlitePetCatalogue', () => {
  function verifyContract(): void {
    verifyPetCatalogueContract({
      createCatalogue: async () => {
        const { SqlitePetCatalogue } = await importSqlite();
        return new SqlitePetCatalogue(await openUntilEnd());
      },
      addOnce: true,
    });
  }

  verifyContract();

  describe('with the rows of Node 22.13 to 22.15, which are objects', () => {
    withRowsAsObjects();
    verifyContract();
  });
});
