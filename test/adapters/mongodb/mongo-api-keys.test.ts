import { expect } from 'chai';
import type { Db } from 'mongodb';
import { ApiKeyError } from '../../../src/adapters/mongodb/api-key-error.js';
import { generateApiKey } from '../../../src/adapters/mongodb/api-key-text.js';
import { MongoApiKeys } from '../../../src/adapters/mongodb/mongo-api-keys.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';
import { rejectionOf } from '../../support/rejection-of.js';
import { until } from '../../support/until.js';
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
    const { key } = await keys.create({ name: 'anna', expiresAt: new Date(Date.now() + DAY) });
    const stored = JSON.stringify(await db.collection('apiKeys').find({}, { promoteBuffers: true }).toArray());
    expect(stored).to.include('anna');
    for (const text of [key, key.slice(4), key.slice(4, 36), Buffer.from(key).toString('base64').slice(0, 40)]) {
      expect(stored).not.to.include(text);
    }
  });

  it('lists every key, the oldest first, without the keys', async () => {
    const expiresAt = new Date(Date.now() + DAY);
    const anna = await keys.create({ name: 'anna' });
    await until(() => Date.now() > anna.createdAt.getTime());
    const ben = await keys.create({ name: 'ben', expiresAt });
    await keys.revoke(anna.id);
    const listed = await keys.list();
    expect(listed.map(({ id, name }) => ({ id, name }))).to.deep.equal([
      { id: anna.id, name: 'anna' },
      { id: ben.id, name: 'ben' },
    ]);
    expect(listed[0]?.revokedAt).to.be.instanceOf(Date);
    expect(listed[1]).to.deep.equal({ id: ben.id, name: 'ben', createdAt: ben.createdAt, expiresAt });
  });

  it('refuses a name that is no fit for a log, and an expiry that has passed', async () => {
    for (const name of ['', 'a\nb', '\ud800', 'x'.repeat(257)]) {
      expect(await rejectionOf(keys.create({ name })), JSON.stringify(name)).to.be.instanceOf(RangeError);
    }
    for (const expiresAt of [new Date(Date.now() - 1), new Date(NaN)]) {
      expect(await rejectionOf(keys.create({ name: 'anna', expiresAt }))).to.be.instanceOf(RangeError);
    }
    expect(await keys.list()).to.deep.equal([]);
  });

  it('rejects an id that no key has', async () => {
    for (const attempt of [keys.revoke.bind(keys), async (id: string) => keys.rotate(id, { overlapMs: 0 })]) {
      expect(await rejectionOf(attempt('nobody')))
        .to.be.instanceOf(ApiKeyError)
        .with.property('message')
        .that.matches(/^no API key .*has this id$/);
    }
  });

  it('revokes a key once and for all', async () => {
    const { id } = await keys.create({ name: 'anna' });
    await keys.revoke(id);
    const [before] = await keys.list();
    await keys.revoke(id);
    expect(await keys.list()).to.deep.equal([before]);
    expect(await rejectionOf(keys.rotate(id, { overlapMs: 0 }))).to.be.instanceOf(ApiKeyError);
  });

  it('rotates a key to one of the same name, and lets the old one overlap', async () => {
    const old = await keys.create({ name: 'anna' });
    const successor = await keys.rotate(old.id, { overlapMs: DAY });
    expect(successor.name).to.equal('anna');
    expect(successor).not.to.have.property('expiresAt');
    const fresh = new MongoApiKeys(db);
    for (const { key } of [old, successor]) expect(await fresh.verify(key)).to.deep.equal({ name: 'anna' });
    const listed = (await keys.list()).find(({ id }) => id === old.id);
    expect(listed?.expiresAt?.getTime()).to.equal(successor.createdAt.getTime() + DAY);
  });

  it('ends the old key at once where there is no overlap', async () => {
    const old = await keys.create({ name: 'anna' });
    await keys.rotate(old.id, { overlapMs: 0 });
    expect(await new MongoApiKeys(db).verify(old.key)).to.equal(undefined);
  });

  it('lets no overlap outlive the expiry of the old key, and gives the new one as long a life', async () => {
    const old = await keys.create({ name: 'anna', expiresAt: new Date(Date.now() + DAY) });
    const successor = await keys.rotate(old.id, { overlapMs: 2 * DAY });
    const listed = (await keys.list()).find(({ id }) => id === old.id);
    expect(listed?.expiresAt).to.deep.equal(old.expiresAt);
    const life = (key: typeof old): number => Number(key.expiresAt) - Number(key.createdAt);
    expect(life(successor)).to.equal(life(old));
  });
});
