import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { apiKeysChecks, type ApiKeysContractOptions } from '../contracts/api-keys-contract.js';
import { brokenApiKeys, type CreateApiKeys } from './broken-api-keys.js';
import { itCatches } from './by-fault.js';
import { failingChecks } from './failing-checks.js';

/** Issues new keys for the suite. */
function issuing(create: CreateApiKeys): ApiKeysContractOptions['issueKeys'] {
  return (names) => {
    const issued = names.map((name) => ({ name, key: randomUUID() }));
    return { apiKeys: create(issued), keys: issued.map(({ key }) => key) };
  };
}

describe('the contract suite of ApiKeys', () => {
  const failing = async (create: CreateApiKeys) => failingChecks(apiKeysChecks, () => issuing(create));

  it('passes sound API keys', async () => {
    expect(await failing((issued) => new InMemoryApiKeys(issued))).to.deep.equal([]);
  });

  itCatches('API keys', brokenApiKeys, apiKeysChecks, failing);
});
