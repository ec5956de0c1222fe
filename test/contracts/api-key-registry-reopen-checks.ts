import assert from 'node:assert/strict';
import {
  addKeys,
  allRecordsOf,
  assertWorks,
  HOUR,
  type OpenSubject,
  type RegistrySubject,
} from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

/** The checks of a store that is opened again. */
export function reopenChecks(reopen: OpenSubject): Checks<RegistrySubject> {
  return {
    'a registry that is opened again has the same records': async (subject) => {
      const ends = [{}, { lifetimeMs: HOUR }, { expiresAt: new Date(Date.now() + HOUR) }, { revokedAt: new Date() }];
      const added = await addKeys(subject.registry, ...ends);
      const { registry } = await reopen(subject);
      for (const { record } of added) assert.deepEqual(await registry.find(record.id), record);
      assert.equal((await allRecordsOf(registry)).length, added.length);
    },

    'the keys of a registry that is opened again work, unless they were revoked': async (subject) => {
      const [anna, ben] = await addKeys(subject.registry, { name: 'anna' }, { name: 'ben' });
      assert.ok(anna && ben);
      assert.equal(await subject.registry.replace(ben.record, { ...ben.record, revokedAt: new Date() }), true);
      const again = await reopen(subject);
      await assertWorks(again, anna);
      assert.equal(await again.apiKeys.verify(ben.key), undefined);
    },
  };
}
