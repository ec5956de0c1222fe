import assert from 'node:assert/strict';
import { KEY_LIFETIME_MAX_MS, type ApiKeyRotation } from '../../src/domain/api-keys/api-key.js';
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

const NO_OVERLAPS = [-1, 0.5, NaN, Infinity, KEY_LIFETIME_MAX_MS + 1, '0', null, undefined];

export const rotateChecks: Checks<RegistrySubject> = {
  'rotate makes another key for the same name, which works at once': async ({ registry, apiKeys }) => {
    const old = await registry.create({ name: 'anna' });
    const successor = await registry.rotate(old.id, { overlapMs: HOUR });
    assert.equal(successor.name, 'anna');
    assert.notEqual(successor.id, old.id);
    assert.notEqual(successor.key, old.key);
    assert.equal((await apiKeys.verify(successor.key))?.name, 'anna');
    const { key: _key, ...known } = successor;
    assert.deepEqual(await listed(registry, successor.id), known);
  },

  'rotate lets the old key work for the overlap': async ({ registry, apiKeys }) => {
    const old = await registry.create({ name: 'anna' });
    const { createdAt } = await registry.rotate(old.id, { overlapMs: HOUR });
    assert.equal((await apiKeys.verify(old.key))?.name, 'anna');
    assert.equal(Number((await listed(registry, old.id)).expiresAt), createdAt.getTime() + HOUR);
  },

  'rotate ends the old key if there is no overlap': async (subject) => {
    const old = await subject.registry.create({ name: 'anna' });
    const successor = await subject.registry.rotate(old.id, { overlapMs: 0 });
    await assertEnds(subject, old.key);
    assert.equal((await subject.apiKeys.verify(successor.key))?.name, 'anna');
  },

  'rotate changes nothing about the old key but its expiry': async ({ registry }) => {
    const { key: _key, expiresAt: _expiresAt, ...old } = await registry.create({ name: 'anna', lifetimeMs: 2 * HOUR });
    await registry.rotate(old.id, { overlapMs: HOUR });
    const { expiresAt: _changed, ...rotated } = await listed(registry, old.id);
    assert.deepEqual(rotated, old);
  },

  'rotate never lets the old key outlive its own expiry': async ({ registry }) => {
    const old = await registry.create({ name: 'anna', lifetimeMs: HOUR });
    for (const overlapMs of [2 * HOUR, KEY_LIFETIME_MAX_MS]) {
      await registry.rotate(old.id, { overlapMs });
      assert.deepEqual((await listed(registry, old.id)).expiresAt, old.expiresAt);
    }
  },

  'rotate gives the new key as long a life as the old one was issued for': async ({ registry }) => {
    const old = await registry.create({ name: 'anna', lifetimeMs: 2 * HOUR });
    for (const overlapMs of [HOUR, 1000]) {
      const successor = await registry.rotate(old.id, { overlapMs });
      assert.equal(successor.lifetimeMs, 2 * HOUR);
      assert.equal(Number(successor.expiresAt) - successor.createdAt.getTime(), 2 * HOUR);
    }
  },

  'rotate makes a key for good in place of one for good, also if that was rotated before': async ({ registry }) => {
    const old = await registry.create({ name: 'anna' });
    for (const overlapMs of [2 * HOUR, HOUR]) {
      const successor = await registry.rotate(old.id, { overlapMs });
      assert.ok(!Object.hasOwn(successor, 'lifetimeMs') && !Object.hasOwn(successor, 'expiresAt'), 'it expires');
    }
  },

  'rotate leaves every other key alone': async ({ registry }) => {
    const others = [await registry.create({ name: 'anna' }), await registry.create({ name: 'anna', lifetimeMs: HOUR })];
    const expected = await Promise.all(others.map(async ({ id }) => listed(registry, id)));
    await registry.rotate((await registry.create({ name: 'anna' })).id, { overlapMs: 0 });
    assert.deepEqual(await Promise.all(others.map(async ({ id }) => listed(registry, id))), expected);
  },

  'rotate rejects an id that no key has, without repeating it': async ({ registry }) => {
    const { key } = await registry.create({ name: 'anna' });
    for (const id of [...NO_IDS, key]) {
      const { message } = await assertRejects(registry.rotate(id, { overlapMs: 0 }), 'api_key_not_found');
      assert.ok(id.length < 5 || !message.includes(id), 'the message repeats the id');
    }
    assert.equal((await allKeysOf(registry)).length, 1);
  },

  'rotate rejects a key that was revoked, and issues nothing': async ({ registry }) => {
    const { id } = await registry.create({ name: 'anna' });
    await registry.revoke(id);
    const expected = await allKeysOf(registry);
    await assertRejects(registry.rotate(id, { overlapMs: HOUR }), 'api_key_not_in_force');
    assert.deepEqual(await allKeysOf(registry), expected);
  },

  'rotate rejects a key that has expired, and issues nothing': async ({ registry }) => {
    const { id, expiresAt } = await registry.create({ name: 'anna', lifetimeMs: 1 });
    await untilAfter(expiresAt);
    const expected = await allKeysOf(registry);
    await assertRejects(registry.rotate(id, { overlapMs: HOUR }), 'api_key_not_in_force');
    assert.deepEqual(await allKeysOf(registry), expected);
  },

  'rotate refuses an overlap that breaks its rule, and changes nothing': async ({ registry }) => {
    const { id } = await registry.create({ name: 'anna' });
    const expected = await allKeysOf(registry);
    for (const overlapMs of NO_OVERLAPS) {
      const rotation = { overlapMs } as ApiKeyRotation;
      await assertRejects(registry.rotate(id, rotation), 'invalid_key_request', ['overlapMs']);
    }
    assert.deepEqual(await allKeysOf(registry), expected);
  },
};
