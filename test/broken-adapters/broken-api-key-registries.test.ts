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
import { itCatches } from './by-fault.js';
import { failingChecks } from './failing-checks.js';

/** The registries end keys immediately, or never. */
const patienceMs = 20;

function createSound() {
  const keys = new InMemoryApiKeys();
  return { registry: keys, apiKeys: keys, patienceMs };
}

describe('the contract suite of ApiKeyRegistry', () => {
  const failing = async (create: () => CreatedApiKeyRegistry) =>
    failingChecks(apiKeyRegistryChecks, () => ({ ...create(), patienceMs }));

  it('passes a sound registry', async () => {
    expect(await failing(createSound)).to.deep.equal([]);
  });

  itCatches('registries', brokenApiKeyRegistries, apiKeyRegistryChecks, failing);
});

describe('the contract suite of ApiKeyRegistry with reopen', () => {
  const failing = async (reopen: ReopenApiKeyRegistry) => failingChecks(reopenChecks(reopen), createSound);

  it('passes a registry that keeps its records', async () => {
    expect(await failing(async (created) => copyOf(created))).to.deep.equal([]);
  });

  itCatches('registries', brokenRegistryReopens, reopenChecks(copyOf), failing);
});
