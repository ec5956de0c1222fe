import { expect } from 'chai';
import type { Db } from 'mongodb';
import { MongoApiKeyRegistry } from '../../../src/adapters/mongodb/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { createMongoClient } from '../../../src/adapters/mongodb/client.js';
import { prepareDatabase } from '../../../src/adapters/mongodb/preparation.js';
import { verifyApiKeyRegistryContract } from '../../contracts/api-key-registry-contract.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { makeKey } from '../../contracts/api-key-registry-subject.js';
import { apiKeyManagerOf } from '../../support/api-key-manager.js';
import { endWithTest } from '../../support/cleanup.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { startTcpProxy } from '../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../support/use-mongodb.js';
import { PATIENT } from '../../support/patience.js';
import { patientApiKeys } from '../../support/patient-api-keys.js';

describe('MongoApiKeyRegistry and MongoApiKeys', () => {
  const mongodb = useMongodb();
  let db: Db;
  let registry: MongoApiKeyRegistry;

  beforeEach(async () => {
    db = mongodb.createDatabase();
    await prepareDatabase(db);
    registry = new MongoApiKeyRegistry(db, PATIENT);
  });

  const manager = () => apiKeyManagerOf(registry);
  const openKeys = () => patientApiKeys(new MongoApiKeys(db, PATIENT));

  const openRegistry = () => ({ registry: new MongoApiKeyRegistry(db, PATIENT), apiKeys: openKeys() });

  verifyApiKeyRegistryContract({ createRegistry: openRegistry, reopen: openRegistry, openAnother: openRegistry });

  verifyApiKeysContract({
    issueKeys: async (names) => {
      const issued = await Promise.all(names.map(async (name) => manager().issue({ name })));
      return { apiKeys: openKeys(), keys: issued.map(({ key }) => key) };
    },
  });

  it('change only the end of a key in its document, and keep unknown fields', async () => {
    const { record } = makeKey();
    await registry.add(record);
    const keys = db.collection<{ _id: string }>('apiKeys');
    await keys.updateOne({ _id: record.id }, { $set: { note: 'for the zoo' } });
    const before = await keys.findOne({ _id: record.id });
    const expiresAt = new Date(1);
    await registry.replace(record, { ...record, expiresAt });
    expect(await keys.findOne({ _id: record.id })).to.deep.equal({ ...before, expiresAt });
  });

  it('do not rotate a key that another process revokes in the meantime', async function () {
    const { id } = await manager().issue({ name: 'anna' });
    const proxy = await startTcpProxy(mongodb.localPort(this));
    const client = createMongoClient(throughProxy(mongodb.server().url, proxy, db.databaseName), PATIENT);
    endWithTest(async () => client.close());
    let revoked: Promise<void> | undefined;
    proxy.judge((request) => (request.includes('$set') ? { until: (revoked ??= manager().revoke(id)) } : 'pass'));
    const rotated = apiKeyManagerOf(new MongoApiKeyRegistry(client.db(), PATIENT)).rotate(id, { overlapMs: 0 });
    expect(await rejectionOf(rotated)).to.have.property('code', 'api_key_not_active');
    expect((await registry.list({ limit: 2 })).keys).to.have.length(1);
  });
});
