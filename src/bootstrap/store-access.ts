import type { SqliteDatabaseOptions } from '../adapters/sqlite/open-sqlite-database.js';

/** How a command uses a store: see `SqliteDatabaseOptions`. With MongoDB, `prepare` creates the indexes that are missing. */
export type StoreAccess = NonNullable<SqliteDatabaseOptions['access']>;
