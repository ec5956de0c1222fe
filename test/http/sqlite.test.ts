import { startCommand } from '../support/command.js';
import { newDatabaseFile, describeWithSqlite } from '../support/sqlite.js';
import { declareHttpSuite, STORE } from './http-suite.js';
import { serviceOf, type Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

describeWithSqlite('on an SQLite file', () => {
  const start = async (): Promise<Service> => {
    const flags = ['--store', 'sqlite', '--sqlite-file', newDatabaseFile(), '--log-level', 'error'];
    return serviceOf(await startCommand(flags, { API_KEYS: `tests:${KEY}` }), KEY, true);
  };
  declareHttpSuite('HTTP with the SQLite store', start, STORE);
});
