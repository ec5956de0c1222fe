import assert from 'node:assert/strict';
import { KEY_LIFETIME_MAX_MS, type ApiKeyRequest } from '../../src/domain/api-keys/api-key.js';
import {
  allKeysOf,
  assertEnds,
  assertRejects,
  HOUR,
  listed,
  untilAfter,
  type RegistrySubject,
} from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

const NAMES = [
  ' anna ',
  '😀'.repeat(256),
  'e\u0301 \u00e9',
  '__proto__',
  '$where.{"$gt":""}\'--;\\',
  '007',
  'a,b:c',
  'ANNA',
];

const NO_NAMES = ['', 'a\nb', 'a\0b', '\ud800', '\u200b', 'x'.repeat(257), null, undefined, 7, ['anna']];
const NO_LIFETIMES = [0, -1, 1.5, NaN, Infinity, KEY_LIFETIME_MAX_MS + 1, '90', 1n, null];

export const createChecks: Checks<RegistrySubject> = {
  'create resolves to a key of the name that it was given': async ({ registry }) => {
    const { id, name, key, createdAt } = await registry.create({ name: 'anna' });
    assert.equal(name, 'anna');
    assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
    assert.equal(typeof key, 'string');
    assert.ok(createdAt instanceof Date && !Number.isNaN(createdAt.getTime()), 'createdAt is no valid date');
  },

  'create makes a key that works at once': async ({ registry, apiKeys }) => {
    for (const name of ['anna', 'ben', 'anna']) {
      const { key } = await registry.create({ name });
      assert.equal((await apiKeys.verify(key))?.name, name);
    }
  },

  'create makes a key that works although it was looked up before others were made': async ({ registry, apiKeys }) => {
    const anna = await registry.create({ name: 'anna' });
    assert.equal((await apiKeys.verify(anna.key))?.name, 'anna');
    const ben = await registry.create({ name: 'ben' });
    assert.equal((await apiKeys.verify(anna.key))?.name, 'anna');
    assert.equal((await apiKeys.verify(ben.key))?.name, 'ben');
  },

  'create makes a key that a bearer token can carry, of 128 bits or more': async ({ registry }) => {
    assert.match((await registry.create({ name: 'anna' })).key, /^[A-Za-z0-9._~+/-]{22,256}=*$/);
  },

  'create makes a key of which its id tells nothing': async ({ registry }) => {
    const { id, key } = await registry.create({ name: 'anna' });
    assert.ok(!id.includes(key) && !key.includes(id), 'the id and the key hold each other');
  },

  'create makes distinct ids and keys, also at once and for one name': async ({ registry }) => {
    const issued = await Promise.all(Array.from({ length: 32 }, async () => registry.create({ name: 'anna' })));
    assert.equal(new Set(issued.map(({ id }) => id)).size, 32);
    assert.equal(new Set(issued.map(({ key }) => key)).size, 32);
    assert.equal((await allKeysOf(registry)).length, 32);
  },

  'create keeps a name exactly': async ({ registry, apiKeys }) => {
    for (const name of NAMES) {
      const issued = await registry.create({ name });
      assert.equal(issued.name, name);
      assert.equal((await listed(registry, issued.id)).name, name);
      assert.equal((await apiKeys.verify(issued.key))?.name, name);
    }
  },

  'create makes a key for good if it is given no lifetime': async ({ registry }) => {
    for (const request of [{ name: 'anna' }, { name: 'anna', lifetimeMs: undefined }]) {
      const issued = await registry.create(request);
      for (const apiKey of [issued, await listed(registry, issued.id)]) {
        for (const member of ['lifetimeMs', 'expiresAt', 'revokedAt']) {
          assert.ok(!Object.hasOwn(apiKey, member), `the key has ${member}`);
        }
      }
    }
  },

  'create makes a key that expires after its lifetime': async ({ registry, apiKeys }) => {
    for (const lifetimeMs of [HOUR, 2 ** 31, KEY_LIFETIME_MAX_MS]) {
      const issued = await registry.create({ name: 'anna', lifetimeMs });
      assert.equal(issued.lifetimeMs, lifetimeMs);
      assert.equal(Number(issued.expiresAt) - issued.createdAt.getTime(), lifetimeMs);
      assert.equal((await apiKeys.verify(issued.key))?.name, 'anna');
    }
  },

  'a key stops working when it expires': async (subject) => {
    const { key, expiresAt } = await subject.registry.create({ name: 'anna', lifetimeMs: 1 });
    await untilAfter(expiresAt);
    await assertEnds(subject, key);
  },

  'create refuses a name that breaks its rule, and issues nothing': async ({ registry }) => {
    for (const name of NO_NAMES) {
      await assertRejects(registry.create({ name } as ApiKeyRequest), 'invalid_key_request', ['name']);
    }
    assert.deepEqual(await allKeysOf(registry), []);
  },

  'create refuses a lifetime that breaks its rule, and issues nothing': async ({ registry }) => {
    for (const lifetimeMs of NO_LIFETIMES) {
      const request = { name: 'anna', lifetimeMs } as ApiKeyRequest;
      await assertRejects(registry.create(request), 'invalid_key_request', ['lifetimeMs']);
    }
    assert.deepEqual(await allKeysOf(registry), []);
  },

  'create names every fault at once': async ({ registry }) => {
    await assertRejects(registry.create({ name: '', lifetimeMs: 0 }), 'invalid_key_request', ['name', 'lifetimeMs']);
  },
};
