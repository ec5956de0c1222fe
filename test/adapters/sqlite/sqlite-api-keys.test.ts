import type { SqliteDatabase } from '../../../src/adapters/sqlite/sqlite-database.js';
import { verifyApiKeyRegistryContract } from '../../contracts/api-key-registry-contract.js';
import type { CreatedApiKeyRegistry } from '../../contracts/api-key-registry-subject.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { describeWithSqlite, importSqlite, newDatabaseFile, openUntilEnd } from '../../support/sqlite.js';

describeWithSqlite('SqliteApiKeys and SqliteApiKeyRegistry', () => {
  let file: string;
  let database: SqliteDatabase;

  async function openRegistry(): Promise<CreatedApiKeyRegistry> {
    const { SqliteApiKeyRegistry, SqliteApiKeys } = await importSqlite();
    database = await openUntilEnd(file);
    return { registry: new SqliteApiKeyRegistry(database), apiKeys: new SqliteApiKeys(database) };
  }

  verifyApiKeysContract({
    issueKeys: async (names) => {
      file = newDatabaseFile();
      const { registry, apiKeys } = await openRegistry();
      const keys: string[] = [];
      for (const name of names) keys.push((await apiKeyManagerOf(registry).issue({ name })).key);
      return { apiKeys, keys };
    },
  });

  verifyApiKeyRegistryContract({
    createRegistry: async () => {
      file = newDatabaseFile();
      return openRegistry();
    },
    reopen: async () => {
      await database.close();
      return openRegistry();
    },
    openAnother: openRegistry,
  });
});
