/**
 * Adapters that keep animals and API keys in an SQLite file, by `node:sqlite`. Needs Node.js 22.13 or newer. On an older
 * version, the import throws an error that says so.
 *
 * @module animal-store/sqlite
 */
export { openSqliteDatabase, type SqliteDatabaseOptions } from './open-sqlite-database.js';
export { SqliteApiKeyRegistry } from './sqlite-api-key-registry.js';
export { SqliteApiKeys } from './sqlite-api-keys.js';
export type { SqliteDatabase } from './sqlite-database.js';
export { SqliteFileError } from './sqlite-errors.js';
export { SqlitePetCatalogue } from './sqlite-pet-catalogue.js';
