import { requireSqlite, sqliteStore } from '../modules/sqlite-store.js';
import { defineCommand } from './command.js';

/** `animal-store backup`. */
export const backup = defineCommand({
  name: 'backup',
  summary: 'copy the file of the store sqlite, even while the service runs',
  positionals: ['FILE'],
  settings: sqliteStore.settings,
  load: requireSqlite,
  async run({ values: { sqliteFile }, positionals: [target = ''] }) {
    const { backUpSqliteFile } = await import('../../adapters/sqlite/back-up.js');
    backUpSqliteFile(sqliteFile, target);
    process.stdout.write(`copied ${sqliteFile} to ${target}\n`);
  },
});
