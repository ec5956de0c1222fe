import { expect } from 'chai';
import type { Db } from 'mongodb';
import type { ApiKeyDocument } from '../../../../src/adapters/mongodb/api-keys/api-key-document.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { createMongoClient } from '../../../../src/adapters/mongodb/client.js';
import { verifyApiKeyRegistryContract } from '../../../contracts/api-key-registry-contract.js';
import { makeKey } from '../../../contracts/api-key-registry-subject.js';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { endWithTest } from '../../../support/cleanup.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy } from '../../../support/tcp-proxy.js';
import { throughProxy, useMongodb } from '../../../support/use-mongodb.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';
import { commandsOf } from '../commands-of.js';

const DAY = 86_400_000;

describe('MongoApiKeyRegistry', () => {
  const mongodb = useMongodb();
  let db: Db;
  let registry: MongoApiKeyRegistry;

  beforeEach(async () => {
    db = mongodb.createDatabase();
    registry = new MongoApiKeyRegistry(db, PATIENT);
    await registry.init();
  });

  const manager = () => apiKeyManagerOf(registry);

  verifyApiKeyRegistryContract({
    createRegistry: () => ({ registry, apiKeys: new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS }) }),
    reopen: async () => {
      const again = new MongoApiKeyRegistry(db, PATIENT);
      await again.init();
      return { registry: again, apiKeys: new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS }) };
    },
  });

  it('can be initialised any number of times, also concurrently', async () => {
    await Promise.all([registry.init(), new MongoApiKeyRegistry(db, PATIENT).init(), registry.init()]);
    await registry.init();
  });

  it('keeps the time of a revocation by a machine whose clock is ahead', async () => {
    const { id } = await manager().issue({ name: 'anna' });
    const revokedAt = new Date(Date.now() + DAY);
    await db.collection<{ _id: string }>('apiKeys').updateOne({ _id: id }, { $set: { revokedAt } });
    await manager().revoke(id);
    expect((await registry.find(id))?.revokedAt).to.deep.equal(revokedAt);
  });

  it('makes the unique index before it adds the first record', async () => {
    const fresh = mongodb.createDatabase();
    const { record } = makeKey();
    await new MongoApiKeyRegistry(fresh, PATIENT).add(record);
    await new MongoApiKeyRegistry(fresh, PATIENT).add(makeKey({ sha256: record.sha256 }).record);
    expect(await fresh.collection('apiKeys').countDocuments()).to.equal(1);
  });

  it('changes only the end of a key in its document, and keeps unknown fields', async () => {
    const { record } = makeKey();
    await registry.add(record);
    const keys = db.collection<{ _id: string }>('apiKeys');
    await keys.updateOne({ _id: record.id }, { $set: { note: 'for the zoo' } });
    const before = await keys.findOne({ _id: record.id });
    const expiresAt = new Date(1);
    await registry.replace(record, { ...record, expiresAt });
    expect(await keys.findOne({ _id: record.id })).to.deep.equal({ ...before, expiresAt });
  });

  it('asks for pages by ascending id, which some servers give unasked', async () => {
    const client = createMongoClient(mongodb.server().url, { ...PATIENT, monitorCommands: true });
    endWithTest(async () => client.close());
    const watched = new MongoApiKeyRegistry(client.db(db.databaseName), PATIENT);
    const sent = await commandsOf(client, async () => watched.list({ limit: 2 }));
    expect(sent.map(({ command }) => new Map(command['sort'] as Map<string, number>))).to.deep.equal([
      new Map([['_id', 1]]),
    ]);
  });

  it('reads the documents of version 0.1, and writes the same', async () => {
    const digest = Buffer.alloc(32, 0xab);
    const facts = { name: 'anna', createdAt: new Date(1), lifetimeMs: DAY, expiresAt: new Date(1 + DAY) };
    await db.collection<ApiKeyDocument>('apiKeys').insertOne({ _id: 'a', digest, ...facts, revokedAt: new Date(2) });
    expect(await registry.find('a')).to.deep.equal({
      id: 'a',
      sha256: 'ab'.repeat(32),
      ...facts,
      revokedAt: new Date(2),
    });
    await registry.add({ id: 'b', sha256: 'cd'.repeat(32), ...facts });
    expect(await db.collection('apiKeys').findOne({ name: 'anna', revokedAt: { $exists: false } })).to.deep.include({
      _id: 'b',
      ...facts,
    });
  });

  it('does not rotate a key that another process revokes in the meantime', async function () {
    const { id } = await manager().issue({ name: 'anna' });
    const proxy = await startTcpProxy(mongodb.localPort(this));
    const client = createMongoClient(throughProxy(mongodb.server().url, proxy, db.databaseName), PATIENT);
    endWithTest(async () => client.close());
    let revoked: Promise<void> | undefined;
    proxy.judge((request) => (request.includes('$set') ? { until: (revoked ??= manager().revoke(id)) } : 'pass'));
    const rotated = apiKeyManagerOf(new MongoApiKeyRegistry(client.db(), PATIENT)).rotate(id, { overlapMs: 0 });
    expect(await rejectionOf(rotated)).to.have.property('code', 'api_key_not_in_force');
    expect((await registry.list({ limit: 2 })).keys).to.have.length(1);
  });
});
