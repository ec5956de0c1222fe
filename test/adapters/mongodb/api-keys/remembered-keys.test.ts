import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import type { ApiKeyManager } from '../../../../src/application/api-keys/api-key-manager.js';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { startDatalessMongodb } from '../../../support/dataless-mongodb.js';
import { generateApiKey } from '../../../support/generate-api-key.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { runningTimers } from '../../../support/running-timers.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { until } from '../../../support/until.js';
import { throughProxy, usePrivateServer } from '../../../support/use-mongodb.js';
import { commandsOf } from '../commands-of.js';
import { clientOf } from '../client-of.js';

/** Longer than a test may take. */
const FOR_EVER_MS = 600_000;

describe('the keys that MongoApiKeys remembers', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  let manager: ApiKeyManager;
  let proxy: TcpProxy;

  beforeEach(async () => {
    proxy = await startTcpProxy(server().port);
    const registry = new MongoApiKeyRegistry(createClient().db('remembered'));
    await registry.init();
    manager = apiKeyManagerOf(registry);
  });

  /** A client whose operations wait for as long as no answer comes. */
  const connect = async (): Promise<MongoClient> => {
    const url = throughProxy(server().url, proxy, 'remembered');
    return createClient(url, { monitorCommands: true, connectTimeoutMS: FOR_EVER_MS }).connect();
  };

  it('are as many as maxKeys, those confirmed last', async () => {
    const client = await connect();
    const limits = { maxKeys: 2, refreshAfterMs: FOR_EVER_MS, maxAgeMs: FOR_EVER_MS, maxSilenceMs: FOR_EVER_MS };
    const keys = new MongoApiKeys(client.db(), limits);
    const issued: string[] = [];
    for (const name of ['anna', 'ben', 'cleo']) issued.push((await manager.issue({ name })).key);
    for (const key of issued) await keys.verify(key);
    const lookUpsOf = async (key = ''): Promise<number> =>
      (await commandsOf(client, async () => keys.verify(key))).length;
    expect([await lookUpsOf(issued[2]), await lookUpsOf(issued[1])]).to.deep.equal([0, 0]);
    expect(await lookUpsOf(issued[0])).to.be.greaterThan(0);
  });

  it('are as many as maxKeys, those refreshed last', async () => {
    const client = await connect();
    let lookUps = 0;
    const limits = { maxKeys: 2, refreshAfterMs: 0, maxAgeMs: FOR_EVER_MS, maxSilenceMs: FOR_EVER_MS };
    const keys = new MongoApiKeys(client.db(), { ...limits, observe: () => lookUps++ });
    const [anna, ben, cleo] = await Promise.all(
      ['anna', 'ben', 'cleo'].map(async (name) => (await manager.issue({ name })).key),
    );
    for (const key of [anna, ben, anna] as string[]) await keys.verify(key);
    await until(() => lookUps === 3);
    await keys.verify(cleo as string);
    proxy.swallow();
    expect(await Promise.race([keys.verify(anna as string), aFewTurns()])).to.deep.equal({ name: 'anna' });
  });

  it('are accepted without waiting for the store while they are refreshed in the background', async () => {
    const client = await connect();
    const limits = { refreshAfterMs: 0, maxAgeMs: FOR_EVER_MS, maxSilenceMs: FOR_EVER_MS };
    const keys = new MongoApiKeys(client.db(), { ...limits, verifyDeadlineMs: FOR_EVER_MS });
    const { key } = await manager.issue({ name: 'anna' });
    await keys.verify(key);
    proxy.swallow();
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
  });

  it('are accepted without waiting again once a call has found the store silent', async () => {
    const client = await connect();
    const limits = { refreshAfterMs: 0, maxAgeMs: 500, maxSilenceMs: FOR_EVER_MS };
    const keys = new MongoApiKeys(client.db(), { ...limits, deadlineMs: 500 });
    const { key } = await manager.issue({ name: 'anna' });
    await keys.verify(key);
    const verified = performance.now();
    proxy.swallow();
    await until(() => performance.now() - verified > limits.maxAgeMs);
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    expect(await Promise.race([keys.verify(key), aFewTurns()])).to.deep.equal({ name: 'anna' });
  });

  it('are asked for again once a silent store answers, so that a revoked one stops working', async () => {
    const limits = { refreshAfterMs: 0, maxAgeMs: 0, maxSilenceMs: FOR_EVER_MS, verifyDeadlineMs: FOR_EVER_MS };
    const keys = new MongoApiKeys((await connect()).db(), { ...limits, deadlineMs: 500 });
    const { id, key } = await manager.issue({ name: 'anna' });
    await until(async () => keys.verify(key).then(Boolean, () => false));
    proxy.swallow();
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    await manager.revoke(id);
    proxy.pass();
    await until(async () => (await keys.verify(key)) === undefined);
  });

  it('are looked up again each time if their maximum age is 0, so that a revoked one stops working', async () => {
    const keys = new MongoApiKeys((await connect()).db(), {
      refreshAfterMs: 0,
      maxAgeMs: 0,
      verifyDeadlineMs: FOR_EVER_MS,
    });
    const { id, key } = await manager.issue({ name: 'anna' });
    for (let i = 0; i < 3; i++) expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    await manager.revoke(id);
    expect(await keys.verify(key)).to.equal(undefined);
  });

  it('are no longer accepted if the store is silent for longer than they are remembered', async () => {
    const limits = { refreshAfterMs: 0, maxAgeMs: 0, maxSilenceMs: 300, verifyDeadlineMs: 300 };
    const keys = new MongoApiKeys((await connect()).db(), { ...limits, deadlineMs: FOR_EVER_MS });
    const { key } = await manager.issue({ name: 'anna' });
    await until(async () => keys.verify(key).then(Boolean, () => false));
    const verified = performance.now();
    proxy.swallow();
    await until(() => performance.now() - verified > limits.maxSilenceMs);
    expect(await rejectionOf(keys.verify(key))).to.include({
      code: 'store_unavailable',
      message: 'the API key was not verified in time',
    });
  });

  it('are not accepted beyond their expiry by a silent store, by the call that finds it silent or by those after it', async () => {
    const limits = { refreshAfterMs: 0, maxAgeMs: 0, maxSilenceMs: FOR_EVER_MS, deadlineMs: 300 };
    const keys = new MongoApiKeys((await connect()).db(), limits);
    const { key, expiresAt } = await manager.issue({ name: 'anna', lifetimeMs: 2000 });
    await until(async () => keys.verify(key).then(Boolean, () => false));
    proxy.swallow();
    await until(() => Date.now() >= Number(expiresAt));
    for (let i = 0; i < 2; i++) expect(await keys.verify(key)).to.equal(undefined);
  });

  it('leave no timer behind once a call has been answered', async () => {
    const keys = new MongoApiKeys((await connect()).db(), { verifyDeadlineMs: FOR_EVER_MS });
    const before = runningTimers();
    for (let i = 0; i < 50; i++) await keys.verify(generateApiKey());
    expect(runningTimers() - before).to.be.lessThan(25);
  });
});

describe('a key that MongoApiKeys remembers', () => {
  it('is not accepted if the store refuses to look it up again', async () => {
    const server = await startDatalessMongodb();
    const client = clientOf(server);
    const key = generateApiKey();
    const digest = hash('sha256', key, 'buffer');
    server.answer('find', [{ _id: 'k1', digest, name: 'anna', createdAt: new Date() }]);
    const keys = new MongoApiKeys(client.db(), { refreshAfterMs: 0, maxAgeMs: 0 });
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    server.refuse(undefined, ['find']);
    expect(await rejectionOf(keys.verify(key))).to.have.property('code', 13);
  });
});

async function aFewTurns(): Promise<string> {
  for (let i = 0; i < 5; i++) await setImmediate();
  return 'the call waits';
}
