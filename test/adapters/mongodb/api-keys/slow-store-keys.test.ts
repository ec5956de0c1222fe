import { expect } from 'chai';
import type { MongoClient } from 'mongodb';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import type { ApiKeyManager } from '../../../../src/application/api-keys/api-key-manager.js';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { SLACK_MS } from '../../../support/slack.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { until } from '../../../support/until.js';
import { throughProxy, usePrivateServer } from '../../../support/use-mongodb.js';

/** How long each answer of the store takes, and the maximum time for which a call waits for one. */
const ANSWER_MS = 2200;
const WAIT_MS = 2000;
/** Longer than a test: a key stops working because of an answer, or not at all. */
const FOR_EVER_MS = 3_600_000;

describe('MongoApiKeys if each answer of the store takes longer than a call waits', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let proxy: TcpProxy;
  let manager: ApiKeyManager;
  let client: MongoClient;
  let keys: MongoApiKeys;

  beforeEach(async () => {
    proxy = await startTcpProxy(server().port);
    const registry = new MongoApiKeyRegistry(createClient().db('slow'));
    await registry.init();
    manager = apiKeyManagerOf(registry);
    client = await createClient(throughProxy(server().url, proxy, 'slow')).connect();
    keys = new MongoApiKeys(client.db(), { verifyDeadlineMs: WAIT_MS, maxSilenceMs: FOR_EVER_MS });
  });

  it('stops a revoked key within 5 seconds', async () => {
    const { id, key } = await manager.issue({ name: 'anna' });
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    proxy.delay(ANSWER_MS / 2);
    await manager.revoke(id);
    // A key that is not remembered any more is unknown, and the answer about it takes too long for a call.
    const isAccepted = async (): Promise<boolean> =>
      keys.verify(key).then(Boolean, (error: unknown) => {
        expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
        return false;
      });
    const stoppedMs = await until(async () => !(await isAccepted()));
    expect(stoppedMs).to.be.lessThan(5000 + SLACK_MS);
  });

  it('does not accept a key that was revoked while nobody used it', async () => {
    const ages = { refreshAfterMs: 0, maxAgeMs: 100 };
    const idle = new MongoApiKeys(client.db(), { ...ages, verifyDeadlineMs: WAIT_MS, maxSilenceMs: FOR_EVER_MS });
    const { id, key } = await manager.issue({ name: 'anna' });
    expect(await idle.verify(key)).to.deep.equal({ name: 'anna' });
    proxy.delay(ANSWER_MS / 2);
    const verified = performance.now();
    await manager.revoke(id);
    await until(() => performance.now() - verified > ages.maxAgeMs);
    expect(await idle.verify(key)).to.equal(undefined);
  });

  it('keeps accepting an active key', async () => {
    const { key } = await manager.issue({ name: 'anna' });
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    proxy.delay(ANSWER_MS / 2);
    const start = performance.now();
    await until(async () => {
      expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
      return performance.now() - start > 3 * ANSWER_MS;
    });
  });

  it('accepts a new key as soon as its answer is there', async () => {
    const { key } = await manager.issue({ name: 'anna' });
    // With a connection, so that it takes one round trip.
    await keys.verify((await manager.issue({ name: 'ben' })).key);
    proxy.delay(ANSWER_MS / 2);
    const error = await rejectionOf(keys.verify(key));
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    await until(async () =>
      keys.verify(key).then(
        (principal) => principal?.name === 'anna',
        () => false,
      ),
    );
  });
});
