import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import type { ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import { allRecordsOf } from '../contracts/api-key-registry-subject.js';
import type { CreatedApiKeyRegistry, ReopenApiKeyRegistry } from '../contracts/api-key-registry-reopen-checks.js';
import { byFault } from './by-fault.js';

/** A new registry with the records of another one, which `change` may alter. */
export async function copyOf(
  { registry }: CreatedApiKeyRegistry,
  change: (record: ApiKeyRecord) => ApiKeyRecord = (record) => record,
): Promise<CreatedApiKeyRegistry> {
  const copy = new InMemoryApiKeys();
  for (const record of await allRecordsOf(registry)) await copy.add(change(record));
  return { registry: copy, apiKeys: copy };
}

/** Registries that lose something when they are opened again, by their fault. */
export const brokenRegistryReopens = byFault<ReopenApiKeyRegistry>({
  'a registry that is opened again has the same records': {
    'keep nothing': () => {
      const keys = new InMemoryApiKeys();
      return { registry: keys, apiKeys: keys };
    },
  },
  'the keys of a registry that is opened again work': {
    'keep records, but not for the keys': async (created) => ({
      ...(await copyOf(created)),
      apiKeys: new InMemoryApiKeys(),
    }),
  },
  'a key that was revoked before the registry is opened again does not work': {
    'forget revocations': async (created) => copyOf(created, ({ revokedAt: _revokedAt, ...record }) => record),
  },
});
