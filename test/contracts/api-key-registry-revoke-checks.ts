import assert from 'node:assert/strict';
import {
  allKeysOf,
  assertEnds,
  assertRejects,
  HOUR,
  listed,
  NO_IDS,
  untilAfter,
  type RegistrySubject,
} from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

export const revokeChecks: Checks<RegistrySubject> = {
  'revoke ends a key that was in use': async (subject) => {
    const { id, key } = await subject.registry.create({ name: 'anna' });
    assert.equal((await subject.apiKeys.verify(key))?.name, 'anna');
    await subject.registry.revoke(id);
    await assertEnds(subject, key);
  },

  'revoke leaves every other key alone, those of the same name among them': async (subject) => {
    const [first, second, third] = await Promise.all(
      ['anna', 'anna', 'ben'].map(async (name) => subject.registry.create({ name })),
    );
    await subject.registry.revoke(first?.id ?? '');
    await assertEnds(subject, first?.key ?? '');
    for (const other of [second, third]) {
      assert.equal((await subject.apiKeys.verify(other?.key ?? ''))?.name, other?.name);
      assert.ok(!Object.hasOwn(await listed(subject.registry, other?.id ?? ''), 'revokedAt'), 'it is revoked');
    }
  },

  'revoke notes the time, and changes nothing else': async ({ registry }) => {
    const { key: _key, ...apiKey } = await registry.create({ name: 'anna', lifetimeMs: HOUR });
    await registry.revoke(apiKey.id);
    const { revokedAt, ...rest } = await listed(registry, apiKey.id);
    assert.deepEqual(rest, apiKey);
    assert.ok(revokedAt instanceof Date && revokedAt >= apiKey.createdAt, 'revokedAt is no time after createdAt');
  },

  'revoke keeps the first time if it is called again': async ({ registry }) => {
    const { id } = await registry.create({ name: 'anna' });
    await registry.revoke(id);
    const revoked = await listed(registry, id);
    await untilAfter(revoked.revokedAt);
    await registry.revoke(id);
    assert.deepEqual(await listed(registry, id), revoked);
  },

  'revoke takes a key that has expired': async ({ registry }) => {
    const { id, expiresAt } = await registry.create({ name: 'anna', lifetimeMs: 1 });
    await untilAfter(expiresAt);
    await registry.revoke(id);
    const revoked = await listed(registry, id);
    assert.ok(revoked.revokedAt instanceof Date, 'it is not revoked');
    assert.deepEqual(revoked.expiresAt, expiresAt);
  },

  'revoke leaves the successor of a key alone': async (subject) => {
    const old = await subject.registry.create({ name: 'anna' });
    const successor = await subject.registry.rotate(old.id, { overlapMs: HOUR });
    await subject.registry.revoke(old.id);
    await assertEnds(subject, old.key);
    assert.equal((await subject.apiKeys.verify(successor.key))?.name, 'anna');
  },

  'revoke rejects an id that no key has, without repeating it': async ({ registry }) => {
    const { key } = await registry.create({ name: 'anna' });
    const expected = await allKeysOf(registry);
    for (const id of [...NO_IDS, key]) {
      const { message } = await assertRejects(registry.revoke(id), 'api_key_not_found');
      assert.ok(id.length < 5 || !message.includes(id), 'the message repeats the id');
    }
    assert.deepEqual(await allKeysOf(registry), expected);
  },
};
