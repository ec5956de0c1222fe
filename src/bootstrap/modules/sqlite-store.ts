import { ConfigError } from '../settings/config-error.js';
import { setting } from '../settings/setting.js';
import { databaseFile } from '../settings/value-types.js';
import { defineStore } from './built-in-store.js';

/** The store `sqlite`. */
export const sqliteStore = defineStore({
  name: 'sqlite',
  settings: {
    sqliteFile: setting('SQLITE_FILE', 'the file of the store sqlite', databaseFile, 'animal-store.db'),
  },
  serveSettings: {},
  keepsKeys: true,

  async module({ sqliteFile: file }, { log }) {
    await requireSqlite();
    const { sqliteModule } = await import('./sqlite-module.js');
    return sqliteModule({ file, log });
  },
});

/** Rejects with a `ConfigError` if this Node has no SQLite. */
export async function requireSqlite(): Promise<void> {
  try {
    await import('../../adapters/sqlite/node-sqlite.js');
  } catch (error) {
    throw new ConfigError([`the store sqlite cannot be used: ${(error as Error).message}`]);
  }
}
