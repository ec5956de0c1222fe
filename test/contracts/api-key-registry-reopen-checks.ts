import assert from 'node:assert/strict';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { addKeys, allRecordsOf, assertWorks, HOUR, type RegistrySubject } from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

/** A registry, and the `ApiKeys` that verify the keys in it. */
export interface CreatedApiKeyRegistry {
  readonly registry: ApiKeyRegistry;
  readonly apiKeys: ApiKeys;
}

/** Closes a registry and its `ApiKeys`, and opens their store again. */
export type ReopenApiKeyRegistry = (
  created: CreatedApiKeyRegistry,
) => CreatedApiKeyRegistry | Promise<CreatedApiKeyRegistry>;

/** The checks of a store that is opened again. */
export function reopenChecks(reopen: ReopenApiKeyRegistry): Checks<RegistrySubject> {
  async function reopened({ registry, apiKeys, patienceMs }: RegistrySubject): Promise<RegistrySubject> {
    return { ...(await reopen({ registry, apiKeys })), patienceMs };
  }

  return {
    'a registry that is opened again has the same records': async (subject) => {
      const ends = [{}, { lifetimeMs: HOUR }, { expiresAt: new Date(Date.now() + HOUR) }, { revokedAt: new Date() }];
      const added = await addKeys(subject.registry, ...ends);
      const { registry } = await reopened(subject);
      for (const { record } of added) assert.deepEqual(await registry.find(record.id), record);
      assert.equal((await allRecordsOf(registry)).length, added.length);
    },

    'the keys of a registry that is opened again work, unless they were revoked': async (subject) => {
      const [anna, ben] = await addKeys(subject.registry, { name: 'anna' }, { name: 'ben' });
      assert.ok(anna && ben);
      assert.equal(await subject.registry.replace(ben.record, { ...ben.record, revokedAt: new Date() }), true);
      const again = await reopened(subject);
      await assertWorks(again, anna);
      assert.equal(await again.apiKeys.verify(ben.key), undefined);
    },
  };
}
