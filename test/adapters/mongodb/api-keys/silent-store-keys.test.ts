import { expect } from 'chai';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { generateApiKey } from '../../../support/generate-api-key.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import type { ApiKeyManager } from '../../../../src/application/api-keys/api-key-manager.js';
import { rejectionOf } from '../../../support/rejection-of.js';
import { SLACK_MS } from '../../../support/slack.js';
import { until } from '../../../support/until.js';
import { usePrivateServer } from '../../../support/use-mongodb.js';

describe('MongoApiKeys while the store is silent', function () {
  this.timeout(180_000);
  const { server, createClient } = usePrivateServer();
  const ANNA = { name: 'anna' };
  let manager: ApiKeyManager;

  before(async () => {
    const registry = new MongoApiKeyRegistry(createClient().db('keys'));
    await registry.init();
    manager = apiKeyManagerOf(registry);
  });

  afterEach(() => server().resume());

  it('accepts a key verified before, and rejects an unknown one with store_unavailable', async () => {
    const { key } = await manager.issue(ANNA);
    const client = await createClient().connect();
    const keys = new MongoApiKeys(client.db('keys'), {
      refreshAfterMs: 10,
      maxAgeMs: 1000,
      verifyDeadlineMs: 2000,
      deadlineMs: 2000,
    });
    expect(await keys.verify(key)).to.deep.equal(ANNA);
    await server().pause();
    const start = performance.now();
    let uses = 0;
    await until(async () => {
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      uses++;
      return uses > 50 && performance.now() - start > 2500;
    });
    const error = await rejectionOf(keys.verify(generateApiKey()));
    expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
    expect(await keys.verify('ask_mistyped')).to.equal(undefined);
  });

  it('accepts a verified key for a bounded time, and never beyond its expiry', async () => {
    const forever = await manager.issue(ANNA);
    const brief = await manager.issue({ ...ANNA, lifetimeMs: 4000 });
    const maxSilenceMs = 8000;
    const limits = { refreshAfterMs: 10, maxAgeMs: 20, verifyDeadlineMs: 1000, maxSilenceMs };
    const client = await createClient().connect();
    const keys = new MongoApiKeys(client.db('keys'), limits);
    for (const { key } of [forever, brief]) expect(await keys.verify(key)).to.deep.equal(ANNA);
    await server().pause();
    await until(async () => (await keys.verify(brief.key)) === undefined);
    expect(await keys.verify(forever.key)).to.deep.equal(ANNA);
    const isAccepted = async (): Promise<boolean> =>
      keys.verify(forever.key).then(
        () => true,
        (error: unknown) => {
          expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
          return false;
        },
      );
    expect(await until(async () => !(await isAccepted()))).to.be.lessThan(maxSilenceMs + SLACK_MS);
  });

  it('learns of a revocation within 5 seconds of the return of the store', async () => {
    const { id, key } = await manager.issue(ANNA);
    const keys = new MongoApiKeys(createClient().db('keys'));
    expect(await keys.verify(key)).to.deep.equal(ANNA);
    await server().pause();
    const start = performance.now();
    await until(async () => {
      expect(await keys.verify(key)).to.deep.equal(ANNA);
      return performance.now() - start > 5000;
    });
    server().resume();
    await until(async () =>
      manager.revoke(id).then(
        () => true,
        () => false,
      ),
    );
    expect(await until(async () => (await keys.verify(key)) === undefined)).to.be.lessThan(5000 + SLACK_MS);
  });
});
