import { expect } from 'chai';
import type { Db } from 'mongodb';
import { activeAt, type ApiKeyDocument } from '../../../../src/adapters/mongodb/api-keys/api-key-document.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { verifyApiKeyRegistryContract } from '../../../contracts/api-key-registry-contract.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { startTcpProxy } from '../../../support/tcp-proxy.js';
import { throughProxy, useMongodb, usePrivateServer } from '../../../support/use-mongodb.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';

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

  verifyApiKeyRegistryContract({
    createRegistry: () => ({ registry, apiKeys: new MongoApiKeys(db, { verifyDeadlineMs: PATIENT_MS }) }),
  });

  it('can be initialised any number of times, by any number at once', async () => {
    await Promise.all([registry.init(), new MongoApiKeyRegistry(db, PATIENT).init(), registry.init()]);
    await registry.init();
  });

  it('keeps the time of a revocation by a machine whose clock is ahead', async () => {
    const { id } = await registry.create({ name: 'anna' });
    const revokedAt = new Date(Date.now() + DAY);
    await db.collection<{ _id: string }>('apiKeys').updateOne({ _id: id }, { $set: { revokedAt } });
    await registry.revoke(id);
    const { keys } = await registry.list({ limit: 1 });
    expect(keys[0]?.revokedAt).to.deep.equal(revokedAt);
  });

  it('lists keys by their ids, in whatever order they were stored', async () => {
    const documents = ['c', 'a', 'b'].map((_id) => ({
      _id,
      digest: Buffer.from(_id),
      name: _id,
      createdAt: new Date(),
    }));
    await db.collection<ApiKeyDocument>('apiKeys').insertMany(documents);
    const { keys, next } = await registry.list({ limit: 2 });
    expect([keys.map(({ id }) => id), next]).to.deep.equal([['a', 'b'], 'b']);
  });

  it('rotates and finds only keys that are in force at the time', async () => {
    const now = new Date();
    const [before, after] = [new Date(Number(now) - 1), new Date(Number(now) + 1)];
    const states = { endless: {}, valid: { expiresAt: after }, ended: { expiresAt: now }, past: { expiresAt: before } };
    const documents = Object.entries(states).flatMap(([_id, state]) => [
      { _id, ...state },
      { _id: `revoked ${_id}`, ...state, revokedAt: before },
    ]);
    await db
      .collection<ApiKeyDocument>('apiKeys')
      .insertMany(
        documents.map((each) => ({ ...each, digest: Buffer.from(each._id), name: 'anna', createdAt: before })),
      );
    const found = await db.collection<ApiKeyDocument>('apiKeys').find(activeAt(now)).toArray();
    expect(found.map(({ _id }) => _id)).to.have.members(['endless', 'valid']);
  });

  it('keeps no key in the database', async () => {
    const { key } = await registry.create({ name: 'anna', lifetimeMs: DAY });
    const stored = JSON.stringify(await db.collection('apiKeys').find({}, { promoteBuffers: true }).toArray());
    expect(stored).to.include('anna');
    for (const text of [key, key.slice(4), key.slice(4, 36), Buffer.from(key).toString('base64').slice(0, 40)]) {
      expect(stored).not.to.include(text);
    }
  });
});

describe('MongoApiKeyRegistry, while another process changes keys', () => {
  const { server, createClient } = usePrivateServer();

  it('refuses to rotate a key that is revoked in the meantime', async () => {
    const registry = new MongoApiKeyRegistry(createClient().db('keys'));
    const { id } = await registry.create({ name: 'anna' });
    const proxy = await startTcpProxy(server().port);
    const elsewhere = new MongoApiKeyRegistry(createClient(throughProxy(server().url, proxy, 'keys')).db());
    let revoked: Promise<void> | undefined;
    proxy.judge((request) => (request.includes('$min') ? { until: (revoked ??= registry.revoke(id)) } : 'pass'));
    expect(await rejectionOf(elsewhere.rotate(id, { overlapMs: 0 }))).to.have.property('code', 'api_key_not_in_force');
    expect((await registry.list({ limit: 2 })).keys).to.have.length(1);
  });
});
