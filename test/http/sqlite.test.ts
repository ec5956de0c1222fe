import { startCommand } from '../support/command.js';
import { newDatabaseFile, describeWithSqlite } from '../support/sqlite.js';
import { declareHttpSuite } from './http-suite.js';
import { serviceOf } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

describeWithSqlite('on an SQLite file', () => {
  declareHttpSuite('HTTP with the SQLite store', async () => {
    const flags = ['--store', 'sqlite', '--sqlite-file', newDatabaseFile(), '--log-level', 'error'];
    return serviceOf(await startCommand(flags, { API_KEYS: `tests:${KEY}` }), KEY, true);
  });
});
