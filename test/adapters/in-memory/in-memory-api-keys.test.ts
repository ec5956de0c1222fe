import { randomUUID } from 'node:crypto';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { verifyApiKeysContract } from '../../contracts/api-keys-contract.js';

describe('InMemoryApiKeys', () => {
  verifyApiKeysContract({
    issueKeys: (names) => {
      const issued = names.map((name) => ({ name, key: randomUUID() }));
      return { apiKeys: new InMemoryApiKeys(issued), keys: issued.map(({ key }) => key) };
    },
  });
});
