import { ContainerModule } from 'inversify';
import type { SqliteDatabaseOptions } from '../../adapters/sqlite/open-sqlite-database.js';
import type { SqliteDatabase } from '../../adapters/sqlite/sqlite-database.js';
import { token, TOKENS } from '../tokens.js';

const DATABASE = token<SqliteDatabase>('SqliteDatabase');

/** The options of {@link sqliteModule}. */
export interface SqliteModuleOptions extends SqliteDatabaseOptions {
  /** The path of the database file. The container opens the file, and closes it when it is unbound. */
  readonly file: string;
}

/**
 * Binds the catalogue, the API keys and their registry in an SQLite file. Needs Node.js 22.13 or newer. Load it with
 * `loadAsync`, which rejects on an older version, and resolve with `getAsync`.
 *
 * @example
 * await container.loadAsync(sqliteModule({ file: 'animal-store.db' }));
 */
export function sqliteModule({ file, ...options }: SqliteModuleOptions): ContainerModule {
  return new ContainerModule(async ({ bind }) => {
    const { openSqliteDatabase } = await import('../../adapters/sqlite/open-sqlite-database.js');
    const { SqliteApiKeyRegistry } = await import('../../adapters/sqlite/sqlite-api-key-registry.js');
    const { SqliteApiKeys } = await import('../../adapters/sqlite/sqlite-api-keys.js');
    const { SqlitePetCatalogue } = await import('../../adapters/sqlite/sqlite-pet-catalogue.js');

    bind(DATABASE)
      .toResolvedValue(async () => openSqliteDatabase(file, options))
      .inSingletonScope()
      .onDeactivation(async (database) => database.close());
    bind(TOKENS.petCatalogue)
      .toResolvedValue((database) => new SqlitePetCatalogue(database), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeys)
      .toResolvedValue((database) => new SqliteApiKeys(database), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeyRegistry)
      .toResolvedValue((database) => new SqliteApiKeyRegistry(database), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.isReady)
      .toResolvedValue(
        (database) => () => {
          database.check();
          return true;
        },
        [DATABASE],
      )
      .inSingletonScope();
  });
}
