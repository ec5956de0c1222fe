import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
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

  it('lists and revokes the keys that it started with too', async () => {
    const keys = new InMemoryApiKeys([{ name: 'anna', key: 'a key of Anna’s own' }]);
    const { keys: listed } = await keys.list({ limit: 100 });
    expect(listed.map(({ name }) => name)).to.deep.equal(['anna']);
    await keys.revoke(listed[0]?.id ?? '');
    expect(await keys.verify('a key of Anna’s own')).to.equal(undefined);
  });

  it('knows a key that it was given twice by the first of its names', async () => {
    const key = 'a key of two people';
    const keys = new InMemoryApiKeys(['anna', 'ben'].map((name) => ({ name, key })));
    expect(await keys.verify(key)).to.deep.equal({ name: 'anna' });
  });
});
