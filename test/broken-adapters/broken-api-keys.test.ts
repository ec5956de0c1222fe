import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { apiKeysChecks, type ApiKeysContractOptions } from '../contracts/api-keys-contract.js';
import { brokenApiKeys, type BrokenApiKeys } from './broken-api-keys.js';
import { failingChecks } from './failing-checks.js';

/** Issues new keys for the suite. */
function issuing(create: BrokenApiKeys['create']): ApiKeysContractOptions['issueKeys'] {
  return (names) => {
    const issued = names.map((name) => ({ name, key: randomUUID() }));
    return { apiKeys: create(issued), keys: issued.map(({ key }) => key) };
  };
}

describe('the contract suite of ApiKeys', () => {
  it('passes sound API keys', async () => {
    const issueKeys = issuing((issued) => new InMemoryApiKeys(issued));
    expect(await failingChecks(apiKeysChecks, () => issueKeys)).to.deep.equal([]);
  });

  for (const [fault, { create, caughtBy }] of Object.entries(brokenApiKeys)) {
    it(`catches API keys that ${fault}: ${caughtBy}`, async () => {
      expect(await failingChecks(apiKeysChecks, () => issuing(create))).to.include(caughtBy);
    });
  }

  it('needs each of its checks: some broken API keys fail it', async () => {
    const seen = new Set<string>();
    for (const { create } of Object.values(brokenApiKeys)) {
      for (const sentence of await failingChecks(apiKeysChecks, () => issuing(create))) seen.add(sentence);
    }
    expect(Object.keys(apiKeysChecks).filter((sentence) => !seen.has(sentence))).to.deep.equal([]);
  });
});
