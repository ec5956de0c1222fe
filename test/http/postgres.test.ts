import { KEY, startOnPostgres } from '../service/postgres-service.js';
import { usePostgres } from '../support/postgres.js';
import { declareHttpSuite } from './http-suite.js';
import { serviceOf } from './service.js';

describe('on a PostgreSQL server', () => {
  const postgres = usePostgres();

  declareHttpSuite('HTTP with the PostgreSQL store', async () => {
    const service = await startOnPostgres(await postgres.createUrl());
    return serviceOf(service, service.port, KEY);
  });
});
