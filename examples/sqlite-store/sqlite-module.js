import { TOKENS } from 'animal-store/bootstrap';
import { ContainerModule } from 'inversify';
import { SqliteApiKeys } from './sqlite-api-keys.js';
import { openDatabase } from './sqlite-database.js';
import { SqlitePetCatalogue } from './sqlite-pet-catalogue.js';

/** @import { Database } from 'better-sqlite3' */
/** @import { ServiceIdentifier } from 'inversify' */

/** @type {ServiceIdentifier<Database>} */
const DATABASE = Symbol('SqliteDatabase');

/**
 * The module for `animal-store serve --store` and `animal-store keys --store`. The variable `SQLITE_FILE` names the
 * database file; without it, that is `animals.db` in the working directory. The container opens and closes the database.
 *
 * @param {{ readonly env: NodeJS.ProcessEnv }} context
 */
export default function sqliteModule({ env }) {
  return new ContainerModule(({ bind }) => {
    bind(DATABASE)
      .toResolvedValue(() => openDatabase(env['SQLITE_FILE'] || 'animals.db'))
      .inSingletonScope()
      .onDeactivation((db) => void db.close());
    bind(SqliteApiKeys)
      .toResolvedValue((db) => new SqliteApiKeys(db), [DATABASE])
      .inSingletonScope();

    bind(TOKENS.petCatalogue)
      .toResolvedValue((db) => new SqlitePetCatalogue(db), [DATABASE])
      .inSingletonScope();
    bind(TOKENS.apiKeys).toService(SqliteApiKeys);
    bind(TOKENS.apiKeyRegistry).toService(SqliteApiKeys);
  });
}
