import type { Db } from 'mongodb';
import { KEY, serveOn } from '../service/serve-on.js';
import { useMongodb, withDatabase } from '../support/use-mongodb.js';
import { declareHttpSuite } from './http-suite.js';
import { serviceOf } from './service.js';

describe('on a MongoDB server', () => {
  const mongodb = useMongodb();
  let db: Db | undefined;

  after(async () => db?.dropDatabase());

  declareHttpSuite('HTTP with the MongoDB store', async () => {
    const { client, url } = mongodb.server();
    db = client.db(`animal-store-test-http-${process.pid}`);
    const store = { STORE: 'mongodb', MONGODB_URL: withDatabase(url, db.databaseName) };
    const service = await serveOn(store, '--log-level', 'warn');
    return serviceOf(service, service.port, KEY);
  });
});
