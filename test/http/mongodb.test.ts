import { KEY, startService, useDatabaseOfSuite } from '../service/mongodb-service.js';
import { useMongodb } from '../support/use-mongodb.js';
import { declareHttpSuite } from './http-suite.js';
import { serviceOf } from './service.js';

describe('on a MongoDB server', () => {
  const url = useDatabaseOfSuite(useMongodb());

  declareHttpSuite('HTTP with the MongoDB store', async () => {
    const service = await startService(url(), ['--log-level', 'warn']);
    return serviceOf(service, service.port, KEY);
  });
});
