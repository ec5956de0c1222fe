import { verifyApiKeyRegistryContract } from '../../contracts/api-key-registry-contract.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { importSqlite, openUntilEnd, describeWithSqlite, withRowsAsObjects } from '../../support/sqlite.js';

describeWithSqlite('SqliteApiKeys and SqliteApiKeyRegistry', () => {
  function verifyContracts(): void {
    verifyApiKeysContract({
      issueKeys: async (names) => {
        const { SqliteApiKeyRegistry, SqliteApiKeys } = await importSqlite();
        const database = await openUntilEnd();
        const manager = apiKeyManagerOf(new SqliteApiKeyRegistry(database));
        const keys: string[] = [];
        for (const name of names) keys.push((await manager.issue({ name })).key);
        return { apiKeys: new SqliteApiKeys(database), keys };
      },
    });

    verifyApiKeyRegistryContract({
      createRegistry: async () => {
        const { SqliteApiKeyRegistry, SqliteApiKeys } = await importSqlite();
        const database = await openUntilEnd();
        return { registry: new SqliteApiKeyRegistry(database), apiKeys: new SqliteApiKeys(database) };
      },
    });
  }

  verifyContracts();

  describe('with the rows of Node 22.13 to 22.15, which are objects', () => {
    withRowsAsObjects();
    verifyContracts();
  });
});
