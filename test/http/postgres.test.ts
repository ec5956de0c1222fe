import { KEY, serveOn } from '../service/serve-on.js';
import { usePostgres } from '../support/postgres.js';
import { declareHttpSuite } from './http-suite.js';
import { serviceOf } from './service.js';

describe('on a PostgreSQL server', () => {
  const postgres = usePostgres();

  declareHttpSuite('HTTP with the PostgreSQL store', async () => {
    const store = { STORE: 'postgres', POSTGRES_URL: await postgres.createUrl() };
    const service = await serveOn(store, '--log-level', 'warn');
    return serviceOf(service, service.port, KEY);
  });
});
