import { expect } from 'chai';
import { apiKeyManagerOf } from '../../../support/api-key-manager.js';
import { generateApiKey } from '../../../support/generate-api-key.js';
import { MongoApiKeyRegistry } from '../../../../src/adapters/mongodb/api-keys/mongo-api-key-registry.js';
import { MongoApiKeys } from '../../../../src/adapters/mongodb/api-keys/mongo-api-keys.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import type { ApiKeyManager } from '../../../../src/application/api-keys/api-key-manager.js';
import { PATIENT, PATIENT_MS } from '../../../support/patience.js';
import { SLACK_MS } from '../../../support/slack.js';
import { until } from '../../../support/until.js';
import { useMongodb } from '../../../support/use-mongodb.js';
import { commandsOf, useWatchedDatabase } from '../commands-of.js';

describe('the life of an API key in MongoDB', () => {
  const mongodb = useMongodb();
  const { client, db } = useWatchedDatabase(mongodb);
  let manager: ApiKeyManager;

  beforeEach(async () => {
    const registry = new MongoApiKeyRegistry(mongodb.server().client.db(db().databaseName), PATIENT);
    await registry.init();
    manager = apiKeyManagerOf(registry);
  });

  it('ends within 5 seconds of its revocation in another process that uses it, with few look-ups', async () => {
    const { id, key } = await manager.issue({ name: 'anna' });
    const keys = new MongoApiKeys(db());
    const sent = await commandsOf(client(), async () => {
      expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
      await manager.revoke(id);
      expect(await until(async () => (await keys.verify(key)) === undefined)).to.be.lessThan(5000 + SLACK_MS);
    });
    expect(sent.length).to.be.lessThan(10);
    expect(await keys.verify(key)).to.equal(undefined);
  });

  it('ends at its expiry, without a look-up', async () => {
    const { key, expiresAt } = await manager.issue({ name: 'anna', lifetimeMs: 3000 });
    const keys = new MongoApiKeys(db(), { refreshAfterMs: 60_000, maxAgeMs: 60_000 });
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    const sent = await commandsOf(client(), async () => {
      await until(async () => (await keys.verify(key)) === undefined);
    });
    expect(Date.now()).to.be.within(Number(expiresAt), Number(expiresAt) + SLACK_MS);
    expect(sent).to.deep.equal([]);
  });

  it('does not change under a flood of made-up keys, few of which reach the database', async () => {
    const { key } = await manager.issue({ name: 'anna' });
    const revoked = await manager.issue({ name: 'ben' });
    const keys = new MongoApiKeys(db(), {
      maxLookUps: 300,
      refreshAfterMs: 0,
      maxAgeMs: 0,
      verifyDeadlineMs: PATIENT_MS,
    });
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    expect(await keys.verify(revoked.key)).to.deep.equal({ name: 'ben' });
    await manager.revoke(revoked.id);
    const made = Array.from({ length: 2000 }, generateApiKey);
    let refused = 0;
    const sent = await commandsOf(client(), async () => {
      const flood = made.map(async (unknown) => {
        try {
          expect(await keys.verify(unknown)).to.equal(undefined);
        } catch (error) {
          expect(error).to.be.instanceOf(AnimalStoreError).with.property('code', 'store_unavailable');
          refused++;
        }
      });
      const known = await Promise.all([keys.verify(key), keys.verify(revoked.key)]);
      expect(known).to.deep.equal([{ name: 'anna' }, undefined]);
      await Promise.all(flood);
    });
    expect(refused).to.be.greaterThan(1000);
    expect(sent.length).to.be.lessThan(30);
  });
});
