import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { importSqlite, openUntilEnd, skipWithoutSqlite } from '../../support/sqlite.js';

describe('SqlitePetCatalogue', () => {
  before(function () {
    skipWithoutSqlite(this);
  });

  verifyPetCatalogueContract({
    createCatalogue: async () => {
      const { SqlitePetCatalogue } = await importSqlite();
      return new SqlitePetCatalogue(await openUntilEnd());
    },
  });
});
