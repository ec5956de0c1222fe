import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createApiKeyManager, type ApiKeyManager } from '../../src/application/api-keys/api-key-manager.js';
import type { ApiKey, IssuedApiKey } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../src/domain/api-keys/api-keys.js';
import { allRecordsOf, assertEnds, HOUR, type RegistrySubject } from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

function managerOf(registry: ApiKeyRegistry): ApiKeyManager {
  return createApiKeyManager({ registry, now: () => new Date(), randomBytes });
}

/** The same registry, except that the process ends before it adds a record. */
function dyingBeforeAdd(registry: ApiKeyRegistry): ApiKeyRegistry {
  return {
    add: async () => Promise.reject(new Error('the process has ended')),
    list: async (query) => registry.list(query),
    find: async (id) => registry.find(id),
    replace: async (before, after) => registry.replace(before, after),
  };
}

/** The results of the calls that resolved, and the error codes of the others. */
async function outcomesOf<T>(calls: readonly Promise<T>[]): Promise<{ fulfilled: T[]; codes: unknown[] }> {
  const settled = await Promise.allSettled(calls);
  return {
    fulfilled: settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])),
    codes: settled.flatMap((each) => (each.status === 'rejected' ? [(each.reason as { code?: unknown }).code] : [])),
  };
}

async function assertVerified({ apiKeys }: RegistrySubject, { key, name }: IssuedApiKey): Promise<void> {
  assert.equal((await apiKeys.verify(key))?.name, name);
}

/** The results of the core's use cases if several calls change the same key, or if a call ends in the middle. */
export const rotationChecks: Checks<RegistrySubject> = {
  'a key that is rotated twice concurrently without an overlap gets one successor': async (subject) => {
    const manager = managerOf(subject.registry);
    const old = await manager.issue({ name: 'anna' });
    const rotations = [manager, managerOf(subject.registry)].map(async (each) => each.rotate(old.id, { overlapMs: 0 }));
    const { fulfilled, codes } = await outcomesOf(rotations);
    assert.deepEqual(codes, ['api_key_not_in_force']);
    assert.equal((await allRecordsOf(subject.registry)).length, 2);
    await assertVerified(subject, fulfilled[0] as IssuedApiKey);
    await assertEnds(subject, old.key);
  },

  'a key that is rotated concurrently with overlaps expires after the shortest, and every successor works': async (
    subject,
  ) => {
    const manager = managerOf(subject.registry);
    const old = await manager.issue({ name: 'anna' });
    const before = Date.now();
    const overlaps = [3 * HOUR, HOUR, 2 * HOUR];
    const successors = await Promise.all(overlaps.map(async (overlapMs) => manager.rotate(old.id, { overlapMs })));
    for (const each of [old, ...successors]) await assertVerified(subject, each);
    const { expiresAt } = (await subject.registry.find(old.id)) as ApiKey;
    const overlap = Number(expiresAt) - before;
    assert.ok(overlap >= HOUR && overlap < 2 * HOUR, `it works for ${overlap} ms more`);
  },

  'a key that is revoked while it is rotated is revoked, whichever comes first': async (subject) => {
    const manager = managerOf(subject.registry);
    for (const first of ['rotate', 'revoke']) {
      const old = await manager.issue({ name: 'anna' });
      const revoke = async (): Promise<void> => managerOf(subject.registry).revoke(old.id);
      const calls = first === 'revoke' ? [revoke()] : [];
      calls.push(manager.rotate(old.id, { overlapMs: HOUR }).then(() => undefined));
      if (first === 'rotate') calls.push(revoke());
      const { codes } = await outcomesOf(calls);
      assert.ok(
        codes.every((code) => code === 'api_key_not_in_force'),
        String(codes),
      );
      assert.ok((await subject.registry.find(old.id))?.revokedAt instanceof Date, 'it is not revoked');
      await assertEnds(subject, old.key);
    }
  },

  'a key can be rotated again if a process ended before it added the successor': async (subject) => {
    const manager = managerOf(subject.registry);
    const old = await manager.issue({ name: 'anna' });
    const dying = managerOf(dyingBeforeAdd(subject.registry));
    await assert.rejects(dying.rotate(old.id, { overlapMs: HOUR }), /the process has ended/);
    await assertVerified(subject, old);
    const interrupted = await subject.registry.find(old.id);
    const successor = await manager.rotate(old.id, { overlapMs: 2 * HOUR });
    await assertVerified(subject, successor);
    assert.deepEqual(await subject.registry.find(old.id), interrupted, 'the second rotation has put off its expiry');
    assert.equal((await allRecordsOf(subject.registry)).length, 2);
  },
};
