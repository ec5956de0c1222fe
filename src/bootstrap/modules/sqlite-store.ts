import { ConfigError } from '../settings/config-error.js';
import type { BuiltInStore } from './built-in-store.js';

/** The store `sqlite`. */
export const sqliteStore: BuiltInStore = {
  name: 'sqlite',
  persistentSettings: ['sqliteFile'],
  keepsKeys: true,

  async module({ sqliteFile: file }, { log }) {
    await requireSqlite();
    const { sqliteModule } = await import('./sqlite-module.js');
    return sqliteModule({ file, log });
  },
};

/** Rejects with a `ConfigError` if this Node has no SQLite. */
export async function requireSqlite(): Promise<void> {
  try {
    await import('../../adapters/sqlite/node-sqlite.js');
  } catch (error) {
    throw new ConfigError([`the store sqlite cannot be used: ${(error as Error).message}`]);
  }
}
