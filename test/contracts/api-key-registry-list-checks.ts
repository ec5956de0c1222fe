import assert from 'node:assert/strict';
import type { ApiKey, IssuedApiKey } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../src/domain/api-keys/api-keys.js';
import { allKeysOf, HOUR, untilAfter, type RegistrySubject } from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

/** Issues keys one after the other, each in a later millisecond than the one before. */
async function issue(registry: ApiKeyRegistry, count: number): Promise<IssuedApiKey[]> {
  const issued: IssuedApiKey[] = [];
  for (let i = 0; i < count; i++) {
    await untilAfter(issued.at(-1)?.createdAt ?? new Date(0));
    issued.push(await registry.create({ name: `name ${i}` }));
  }
  return issued;
}

function withoutKey({ key: _key, ...apiKey }: IssuedApiKey): ApiKey {
  return apiKey;
}

export const listChecks: Checks<RegistrySubject> = {
  'list is an empty page without next if no key was issued': async ({ registry }) => {
    assert.deepEqual(await registry.list({ limit: 100 }), { keys: [] });
  },

  'list tells all that create told but the key': async ({ registry }) => {
    for (const request of [{ name: 'anna' }, { name: 'ben', lifetimeMs: HOUR }]) {
      const issued = await registry.create(request);
      assert.deepEqual((await allKeysOf(registry)).at(-1), withoutKey(issued));
      await untilAfter(issued.createdAt);
    }
  },

  'list holds no key': async ({ registry }) => {
    const { key } = await registry.create({ name: 'anna' });
    assert.ok(!JSON.stringify(await registry.list({ limit: 100 })).includes(key), 'the key is listed');
  },

  'list begins with the oldest': async ({ registry }) => {
    const issued = await issue(registry, 5);
    assert.deepEqual((await registry.list({ limit: 100 })).keys, issued.map(withoutKey));
  },

  'list keeps the order of keys issued at once': async ({ registry }) => {
    await Promise.all(Array.from({ length: 20 }, async () => registry.create({ name: 'anna' })));
    const ids = async () => (await allKeysOf(registry)).map(({ id }) => id);
    const before = await ids();
    assert.equal(before.length, 20);
    await registry.revoke(before[3] as string);
    await registry.rotate(before[5] as string, { overlapMs: HOUR });
    const after = await ids();
    assert.deepEqual(
      after.filter((id) => before.includes(id)),
      before,
    );
  },

  'list returns no more than limit, and as many as 100': async ({ registry }) => {
    await Promise.all(Array.from({ length: 101 }, async () => registry.create({ name: 'anna' })));
    for (const limit of [1, 2, 100]) assert.equal((await registry.list({ limit })).keys.length, limit);
  },

  'list has the id of its last key as next if more follow': async ({ registry }) => {
    const issued = await issue(registry, 4);
    assert.equal((await registry.list({ limit: 1 })).next, issued[0]?.id);
    assert.equal((await registry.list({ limit: 3 })).next, issued[2]?.id);
  },

  'list leaves next out if the page ends with the last key': async ({ registry }) => {
    const issued = await issue(registry, 3);
    assert.ok(!('next' in (await registry.list({ limit: 3 }))), 'a page as long as the list has a next');
    assert.ok(!('next' in (await registry.list({ limit: 4 }))), 'a page longer than the list has a next');
    const after = issued[0]?.id ?? '';
    assert.ok(!('next' in (await registry.list({ limit: 2, after }))), 'a page that ends the list has a next');
  },

  'list starts right after the key given as after': async ({ registry }) => {
    const issued = await issue(registry, 4);
    for (const [i, { id }] of issued.entries()) {
      const { keys } = await registry.list({ limit: 100, after: id });
      assert.deepEqual(keys, issued.slice(i + 1).map(withoutKey));
    }
  },

  'list gives each key exactly once over its pages': async ({ registry }) => {
    await Promise.all(Array.from({ length: 11 }, async (_, i) => registry.create({ name: `name ${i}` })));
    const all = await allKeysOf(registry);
    assert.equal(new Set(all.map(({ id }) => id)).size, 11);
    for (const limit of [1, 2, 3, 10]) assert.deepEqual(await allKeysOf(registry, limit), all, `limit ${limit}`);
  },

  'list shows expired and revoked keys too': async ({ registry }) => {
    const expired = await registry.create({ name: 'anna', lifetimeMs: 1 });
    await untilAfter(expired.expiresAt);
    const revoked = await registry.create({ name: 'ben' });
    await registry.revoke(revoked.id);
    const ids = (await allKeysOf(registry)).map(({ id }) => id);
    assert.deepEqual(ids, [expired.id, revoked.id]);
  },

  'what list and create return is the caller’s own': async ({ registry }) => {
    const issued = await registry.create({ name: 'anna', lifetimeMs: HOUR });
    const expected = structuredClone(await allKeysOf(registry));
    const page = await registry.list({ limit: 100 });
    for (const apiKey of [issued, ...page.keys]) {
      apiKey.createdAt.setTime(0);
      apiKey.expiresAt?.setTime(0);
      Reflect.set(apiKey, 'name', 'changed');
    }
    (page.keys as ApiKey[]).pop();
    assert.deepEqual(await allKeysOf(registry), expected);
  },
};
