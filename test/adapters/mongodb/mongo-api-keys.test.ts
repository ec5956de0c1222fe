import { expect } from 'chai';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { useMongodb } from '../../support/use-mongodb.js';
import { PATIENT, PATIENT_MS } from '../../support/patience.js';

describe('MongoApiKeys', () => {
  const mongodb = useMongodb();

  verifyApiKeysContract({
    issueKeys: async (names) => {
      const db = mongodb.createDatabase();
      await prepareDatabase(db);
      const manager = apiKeyManagerOf(new MongoApiKeyRegistry(db, PATIENT));
      const issued = await Promise.all(names.map(async (name) => manager.issue({ name })));
      return { apiKeys: new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS }), keys: issued.map(({ key }) => key) };
    },
  });
});

describe('an option of MongoApiKeys', () => {
  const db = createMongoClient('mongodb://127.0.0.1:1/').db('animals');

  it('cannot be a deadline that is no whole number of milliseconds, or an age below 0', () => {
    for (const value of [0, -1, 1.5, Number.NaN]) {
      expect(() => new MongoApiKeys(db, { verifyDeadlineMs: value })).to.throw(TypeError, 'verifyDeadlineMs');
      expect(() => new MongoApiKeys(db, { deadlineMs: value })).to.throw(TypeError, 'deadlineMs');
    }
    expect(() => new MongoApiKeys(db, { maxStaleMs: -1 })).to.throw(TypeError, 'maxStaleMs');
  });
});
