import assert from 'node:assert/strict';
import type { ApiKeyRegistry } from '../../src/domain/api-keys/api-keys.js';
import {
  addKey,
  allRecordsOf,
  assertEnds,
  assertWorks,
  HOUR,
  makeKey,
  type OpenSubject,
  type RegistrySubject,
} from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

/** The checks of a store that two registries, each with its `ApiKeys`, use at the same time. */
export function sharedChecks(openAnother: OpenSubject): Checks<RegistrySubject> {
  return {
    'a registry shows what another one on its store has added or replaced since it looked': async (subject) => {
      const { registry } = subject;
      const other = (await openAnother(subject)).registry;
      const { record } = makeKey();
      assert.deepEqual(await allRecordsOf(registry), []);
      assert.equal(await registry.find(record.id), undefined);
      const revoked = { ...record, revokedAt: new Date(record.createdAt.getTime() + HOUR) };
      for (const [present, change] of [
        [record, async () => other.add(record)],
        [revoked, async () => other.replace(record, revoked)],
      ] as const) {
        assert.equal(await change(), true);
        assert.deepEqual(await allRecordsOf(registry), [present]);
        assert.deepEqual(await registry.find(record.id), present);
      }
    },

    'two registries on one store make only one of several concurrent additions or changes': async (subject) => {
      const registries = [subject.registry, (await openAnother(subject)).registry];
      for (const [one, other] of [registries, registries.toReversed()] as [ApiKeyRegistry, ApiKeyRegistry][]) {
        const { record } = makeKey();
        const added = await Promise.all([one.add(record), other.add(record)]);
        assert.equal(added.filter(Boolean).length, 1, 'the number of calls that added the record');
        const replaced = await Promise.all([
          one.replace(record, { ...record, expiresAt: new Date(1) }),
          other.replace(record, { ...record, expiresAt: new Date(2) }),
        ]);
        assert.equal(replaced.filter(Boolean).length, 1, 'the number of calls that replaced the record');
      }
    },

    'a key works as soon as another registry has added it, also if it was refused before': async (subject) => {
      const added = makeKey();
      assert.equal(await subject.apiKeys.verify(added.key), undefined);
      const other = await openAnother(subject);
      assert.equal(await other.registry.add(added.record), true);
      await assertWorks(subject, added);
    },

    'a key that was in use ends when another registry revokes it or lets it expire': async (subject) => {
      const { registry } = await openAnother(subject);
      for (const end of [{ revokedAt: new Date() }, { expiresAt: new Date() }]) {
        const added = await addKey(subject.registry);
        await assertWorks(subject, added);
        assert.equal(await registry.replace(added.record, { ...added.record, ...end }), true);
        await assertEnds(subject, added.key);
      }
    },
  };
}
