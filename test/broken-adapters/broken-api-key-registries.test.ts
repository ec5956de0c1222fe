import { expect } from 'chai';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { apiKeyRegistryChecks } from '../contracts/api-key-registry-contract.js';
import {
  reopenChecks,
  type CreatedApiKeyRegistry,
  type ReopenApiKeyRegistry,
} from '../contracts/api-key-registry-reopen-checks.js';
import { brokenRegistryReopens, copyOf } from './broken-registry-reopens.js';
import { brokenApiKeyRegistries } from './broken-api-key-registries.js';
import { failingChecks } from './failing-checks.js';

/** The checks that a registry fails. The registry ends keys immediately, or never. */
async function failing(create: () => CreatedApiKeyRegistry): Promise<string[]> {
  return failingChecks(apiKeyRegistryChecks, () => ({ ...create(), patienceMs: 20 }));
}

describe('the contract suite of ApiKeyRegistry', () => {
  const failures = new Map<string, readonly string[]>();

  before(async () => {
    const all = Object.entries(brokenApiKeyRegistries);
    await Promise.all(all.map(async ([fault, { create }]) => failures.set(fault, await failing(create))));
  });

  it('passes a sound registry', async () => {
    const create = () => {
      const keys = new InMemoryApiKeys();
      return { registry: keys, apiKeys: keys };
    };
    expect(await failing(create)).to.deep.equal([]);
  });

  for (const [fault, { caughtBy }] of Object.entries(brokenApiKeyRegistries)) {
    it(`catches registries that ${fault}: ${caughtBy}`, () => {
      expect(failures.get(fault)).to.include(caughtBy);
    });
  }

  it('needs each of its checks: some broken registry fails it', () => {
    const seen = new Set([...failures.values()].flat());
    expect(Object.keys(apiKeyRegistryChecks).filter((sentence) => !seen.has(sentence))).to.deep.equal([]);
  });
});

describe('the contract suite of ApiKeyRegistry with reopen', () => {
  const create = () => {
    const keys = new InMemoryApiKeys();
    return { registry: keys, apiKeys: keys, patienceMs: 20 };
  };
  const failing = async (reopen: ReopenApiKeyRegistry) => failingChecks(reopenChecks(reopen), create);

  it('passes a registry that keeps its records', async () => {
    expect(await failing(async (created) => copyOf(created))).to.deep.equal([]);
  });

  for (const [fault, { reopen, caughtBy }] of Object.entries(brokenRegistryReopens)) {
    it(`catches registries that ${fault}: ${caughtBy}`, async () => {
      expect(await failing(reopen)).to.include(caughtBy);
    });
  }

  it('needs each of its checks: some broken registry fails it', async () => {
    const all = await Promise.all(Object.values(brokenRegistryReopens).map(async ({ reopen }) => failing(reopen)));
    expect([...new Set(all.flat())]).to.have.members(Object.keys(reopenChecks(copyOf)));
  });
});
