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
      return { apiKeys: new MongoApiKeys(db, PATIENT, { waitMs: PATIENT_MS }), keys: issued.map(({ key }) => key) };
    },
  });
});
