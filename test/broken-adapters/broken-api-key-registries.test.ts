import { expect } from 'chai';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { apiKeyRegistryChecks } from '../contracts/api-key-registry-contract.js';
import {
  reopenChecks,
  type CreatedApiKeyRegistry,
  type ReopenApiKeyRegistry,
} from '../contracts/api-key-registry-reopen-checks.js';
import { allRecordsOf } from '../contracts/api-key-registry-subject.js';
import { failingChecks, itCatches, type Broken } from './breaking.js';
import { brokenApiKeyRegistries } from './broken-api-key-registries.js';

/** A registry that verifies its own keys, as a subject of the checks. It ends keys immediately, or never. */
function subjectOf(keys: ApiKeyRegistry & ApiKeys) {
  return { registry: keys, apiKeys: keys, patienceMs: 20 };
}

/** A new registry with the records of another one, which `change` may alter. */
async function copyOf(
  { registry }: CreatedApiKeyRegistry,
  change: (record: ApiKeyRecord) => ApiKeyRecord = (record) => record,
): Promise<CreatedApiKeyRegistry> {
  const copy = new InMemoryApiKeys();
  for (const record of await allRecordsOf(registry)) await copy.add(change(record));
  return subjectOf(copy);
}

/** Registries that lose something when they are opened again. */
const brokenReopens: Broken<ReopenApiKeyRegistry> = {
  'a registry that is opened again has the same records': { 'keep nothing': () => subjectOf(new InMemoryApiKeys()) },
  'the keys of a registry that is opened again work, unless they were revoked': {
    'keep records, but not for the keys': async (created) => ({
      ...(await copyOf(created)),
      apiKeys: new InMemoryApiKeys(),
    }),
    'forget revocations': async (created) => copyOf(created, ({ revokedAt: _revokedAt, ...record }) => record),
  },
};

describe('the contract suite of ApiKeyRegistry', () => {
  const failing = async (create: () => ApiKeyRegistry & ApiKeys) =>
    failingChecks(apiKeyRegistryChecks, () => subjectOf(create()));

  it('passes a sound registry', async () => {
    expect(await failing(() => new InMemoryApiKeys())).to.deep.equal([]);
  });

  itCatches('registries', [brokenApiKeyRegistries], apiKeyRegistryChecks, failing);
});

describe('the contract suite of ApiKeyRegistry with reopen', () => {
  const failing = async (reopen: ReopenApiKeyRegistry) =>
    failingChecks(reopenChecks(reopen), () => subjectOf(new InMemoryApiKeys()));

  it('passes a registry that keeps its records', async () => {
    expect(await failing(async (created) => copyOf(created))).to.deep.equal([]);
  });

  itCatches('registries', [brokenReopens], reopenChecks(copyOf), failing);
});
