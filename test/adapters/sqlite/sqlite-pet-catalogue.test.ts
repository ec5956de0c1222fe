import { verifyPetCatalogueContract } from '../../contracts/pet-catalogue-contract.js';
import { importSqlite, openUntilEnd, describeWithSqlite } from '../../support/sqlite.js';

describeWithSqlite('SqlitePetCatalogue', () => {
  verifyPetCatalogueContract({
    createCatalogue: async () => {
      const { SqlitePetCatalogue } = await importSqlite();
      return new SqlitePetCatalogue(await openUntilEnd());
    },
  });
});
