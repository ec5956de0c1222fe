import { KEY, startService, useDatabaseOfSuite } from '../service/mongodb-service.js';
import { useMongodb } from '../support/use-mongodb.js';
import { declareHttpSuite, STORE } from './http-suite.js';
import { serviceOf } from './service.js';

describe('on a MongoDB server', () => {
  const url = useDatabaseOfSuite(useMongodb());

  declareHttpSuite(
    'HTTP with the MongoDB store',
    async () => serviceOf(await startService(url(), ['--log-level', 'warn']), KEY, true),
    STORE,
  );
});
