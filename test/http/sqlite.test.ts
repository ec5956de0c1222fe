import { startCommand } from '../support/command.js';
import { newDatabaseFile, describeWithSqlite } from '../support/sqlite.js';
import { declareHttpSuite } from './http-suite.js';
import { serviceOf, type Service } from './service.js';

const KEY = 'a-key-for-the-HTTP-suite';

describeWithSqlite('on an SQLite file', () => {
  const start = async (): Promise<Service> => {
    const flags = ['--store', 'sqlite', '--sqlite-file', newDatabaseFile(), '--log-level', 'error'];
    const command = await startCommand(flags, { API_KEYS: `tests:${KEY}` });
    return serviceOf(command, command.port, KEY);
  };
  declareHttpSuite('HTTP with the SQLite store', start);
});
