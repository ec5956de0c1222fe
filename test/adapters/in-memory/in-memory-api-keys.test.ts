import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKeyRecord } from '../../../src/domain/api-keys/api-key.js';
import { verifyApiKeyRegistryContract } from '../../contracts/api-key-registry-contract.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';

describe('InMemoryApiKeys', () => {
  verifyApiKeysContract({
    issueKeys: (names) => {
      const issued = names.map((name) => ({ name, key: randomUUID() }));
      return { apiKeys: new InMemoryApiKeys(issued), keys: issued.map(({ key }) => key) };
    },
  });

  verifyApiKeyRegistryContract({
    createRegistry: () => {
      const keys = new InMemoryApiKeys();
      return { registry: keys, apiKeys: keys };
    },
  });

  it('keeps the keys that it started with on record too', async () => {
    const keys = new InMemoryApiKeys(['anna', 'ben'].map((name) => ({ name, key: `a key of ${name}’s own` })));
    const [anna, ben] = (await keys.list({ limit: 100 })).keys as readonly [ApiKeyRecord, ApiKeyRecord];
    expect([anna.name, ben.name]).to.deep.equal(['anna', 'ben']);
    expect(await keys.replace(anna, { ...anna, revokedAt: new Date() })).to.equal(true);
    expect(await keys.verify('a key of anna’s own')).to.equal(undefined);
    expect(await keys.verify('a key of ben’s own')).to.deep.equal({ name: 'ben' });
  });

  it('knows a key that it was given twice by the first of its names', async () => {
    const key = 'a key of two people';
    const keys = new InMemoryApiKeys(['anna', 'ben'].map((name) => ({ name, key })));
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
    expect((await keys.list({ limit: 100 })).keys).to.have.length(1);
  });

  it('knows each of many keys from the first moment on', async () => {
    const given = Array.from({ length: 100 }, (_, i) => ({ name: `name ${i}`, key: `key ${i}` }));
    expect(await new InMemoryApiKeys(given).verify('key 99')).to.deep.equal({ name: 'name 99' });
  });

  it('gives a principal that no caller can change for the others', async () => {
    const keys = new InMemoryApiKeys([{ name: 'anna', key: 'a key of anna’s own' }]);
    Reflect.set((await keys.verify('a key of anna’s own')) ?? {}, 'name', 'ben');
    expect(await keys.verify('a key of anna’s own')).to.deep.equal({ name: 'anna' });
  });

  it('refuses to start with a key of nobody', () => {
    expect(() => new InMemoryApiKeys([{ name: '', key: 'a key of nobody' }])).to.throw('name must be 1 to 256');
  });
});
