import { expect } from 'chai';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { apiKeyRegistryChecks, type ReopenApiKeyRegistry } from '../contracts/api-key-registry-contract.js';
import {
  allRecordsOf,
  type CreatedApiKeyRegistry,
  type RegistrySubject,
} from '../contracts/api-key-registry-subject.js';
import type { Checks } from '../contracts/test-runner.js';
import { except } from '../support/except.js';
import { failingChecks, itCatches, type Broken } from './breaking.js';
import { brokenApiKeyRegistries, brokenShares, type MakeOn, type Registry } from './broken-api-key-registries.js';

/** A registry that verifies its own keys, as a subject of the checks. It ends keys immediately, or never. */
function subjectOf(keys: ApiKeyRegistry & ApiKeys): RegistrySubject {
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

/** The checks that an option adds. */
function addedChecks(options: Parameters<typeof apiKeyRegistryChecks>[0]): Checks<RegistrySubject> {
  const always = apiKeyRegistryChecks();
  return Object.fromEntries(
    Object.entries(apiKeyRegistryChecks(options)).filter(([sentence]) => !(sentence in always)),
  );
}

describe('the contract suite of ApiKeyRegistry', () => {
  const failing = async (create: () => ApiKeyRegistry & ApiKeys) =>
    failingChecks(apiKeyRegistryChecks(), () => subjectOf(create()));

  it('passes a sound registry', async () => {
    expect(await failing(() => new InMemoryApiKeys())).to.deep.equal([]);
  });

  itCatches('registries', [brokenApiKeyRegistries], apiKeyRegistryChecks(), failing);
});

describe('the contract suite of ApiKeyRegistry with reopen', () => {
  const failing = async (reopen: ReopenApiKeyRegistry) =>
    failingChecks(addedChecks({ reopen }), () => subjectOf(new InMemoryApiKeys()));

  it('passes a registry that keeps its records', async () => {
    expect(await failing(async (created) => copyOf(created))).to.deep.equal([]);
  });

  itCatches('registries', [brokenReopens], addedChecks({ reopen: copyOf }), failing);
});

describe('the contract suite of ApiKeyRegistry with openAnother', () => {
  /** The checks that fail if a registry and a sound one use a store. */
  async function failing(on: MakeOn): Promise<readonly string[]> {
    const stores = new WeakMap<ApiKeyRegistry, InMemoryApiKeys>();
    const openAnother = ({ registry }: CreatedApiKeyRegistry) => subjectOf(stores.get(registry) as InMemoryApiKeys);
    return failingChecks(addedChecks({ openAnother }), () => {
      const store = new InMemoryApiKeys();
      const keys = on(store);
      stores.set(keys, store);
      return subjectOf(keys);
    });
  }

  it('passes sound registries on one store', async () => {
    expect(await failing((store) => except<Registry>(store, {}))).to.deep.equal([]);
  });

  itCatches('registries', [brokenShares], addedChecks({ openAnother: (created) => created }), failing);
});
