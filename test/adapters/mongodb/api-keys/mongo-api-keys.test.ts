import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { verifyApiKeysContract } from '../../../contracts/api-keys-contract.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';

describe('MongoApiKeys', () => {
  const mongodb = useMongodb();

  verifyApiKeysContract({
    issueKeys: async (names) => {
      const db = mongodb.createDatabase();
      const registry = new MongoApiKeyRegistry(db, PATIENT);
      await registry.init();
      const manager = apiKeyManagerOf(registry);
      const issued = await Promise.all(names.map(async (name) => manager.issue({ name })));
      return { apiKeys: new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS }), keys: issued.map(({ key }) => key) };
    },
  });
});
