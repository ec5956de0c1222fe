import { expect } from 'chai';
import type { Db } from 'mongodb';
import { generateApiKey } from '../../support/generate-api-key.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { verifyApiKeyRegistryContract } from '../../contracts/api-key-registry-contract.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { useMongodb } from '../../support/use-mongodb.js';

const DAY = 86_400_000;

describe('MongoApiKeys', () => {
  const mongodb = useMongodb();
  let db: Db;
  let keys: MongoApiKeys;

  beforeEach(async () => {
    db = mongodb.createDatabase();
    keys = new MongoApiKeys(db);
    await keys.init();
  });

  verifyApiKeysContract({
    issueKeys: async (names) => {
      const issued = await Promise.all(names.map(async (name) => keys.create({ name })));
      return { apiKeys: keys, keys: issued.map(({ key }) => key) };
    },
  });

  verifyApiKeyRegistryContract({ createRegistry: () => ({ registry: keys, apiKeys: keys }) });

  it('can be initialised any number of times, by any number at once', async () => {
    await Promise.all([keys.init(), new MongoApiKeys(db).init(), keys.init()]);
    await keys.init();
  });

  it('accepts a key that was made after it was asked for another', async () => {
    expect(await keys.verify(generateApiKey())).to.equal(undefined);
    const { key } = await new MongoApiKeys(db).create({ name: 'anna' });
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
  });

  it('keeps no key in the database', async () => {
    const { key } = await keys.create({ name: 'anna', lifetimeMs: DAY });
    const stored = JSON.stringify(await db.collection('apiKeys').find({}, { promoteBuffers: true }).toArray());
    expect(stored).to.include('anna');
    for (const text of [key, key.slice(4), key.slice(4, 36), Buffer.from(key).toString('base64').slice(0, 40)]) {
      expect(stored).not.to.include(text);
    }
  });
});
