import { BUILT_IN_SETTINGS, requireSqlite } from '../modules/built-in-stores.js';
import { defineCommand } from './command.js';

const { sqliteFile } = BUILT_IN_SETTINGS;

export const backup = defineCommand({
  name: 'backup',
  summary: 'copy the file of the store sqlite, even while the service runs',
  positionals: ['FILE'],
  settings: { sqliteFile },
  load: requireSqlite,
  async run({ values: { sqliteFile }, positionals: [target = ''] }) {
    const { backUpSqliteFile } = await import('../../adapters/sqlite/back-up.js');
    backUpSqliteFile(sqliteFile, target);
    console.log(`copied ${sqliteFile} to ${target}`);
  },
});
