import type { SqliteDatabaseOptions } from '../adapters/sqlite/open-sqlite-database.js';

/** What a command needs of a store, as it is said of an SQLite file. With MongoDB, `prepare` creates the indexes that are missing. */
export type StoreAccess = NonNullable<SqliteDatabaseOptions['access']>;
