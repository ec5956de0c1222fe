import assert from 'node:assert/strict';
import type { ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../src/domain/api-keys/api-keys.js';
import { addKey, addKeys, allRecordsOf, HOUR, type RegistrySubject } from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

/** Ids in ascending ASCII order, which is neither alphabetical nor numerical order. */
const IDS = ['-', '10', '9', 'A', 'B', 'Z', '_', 'a', 'a-', 'aa', 'b', 'z'];

/** Adds a record for each of the ids, in another order; resolves to the records by ascending id. */
async function addIds(registry: ApiKeyRegistry, ids: readonly string[]): Promise<ApiKeyRecord[]> {
  const added = await addKeys(registry, ...ids.map((id) => ({ id })).reverse());
  return added.map(({ record }) => record).reverse();
}

export const listChecks: Checks<RegistrySubject> = {
  'list is an empty page without next if there is no record': async ({ registry }) => {
    assert.deepEqual(await registry.list({ limit: 100 }), { keys: [] });
  },

  'list shows the records of all keys, including expired and revoked ones': async ({ registry }) => {
    const [valid, expired, revoked] = await addKeys(
      registry,
      { createdAt: new Date(1) },
      { createdAt: new Date(2), lifetimeMs: 5, expiresAt: new Date(7) },
      { createdAt: new Date(3), revokedAt: new Date(4) },
    );
    const { keys } = await registry.list({ limit: 100 });
    assert.deepEqual(keys, [valid?.record, expired?.record, revoked?.record]);
  },

  'list is by ascending id, in whatever order the records were added': async ({ registry }) => {
    const records = await addIds(registry, IDS);
    assert.deepEqual((await registry.list({ limit: 100 })).keys, records);
  },

  'list returns at most limit records, and up to 100': async ({ registry }) => {
    await addKeys(registry, ...Array.from({ length: 101 }, () => ({})));
    for (const limit of [1, 2, 100]) assert.equal((await registry.list({ limit })).keys.length, limit);
  },

  'list has the id of its last record as next if more follow': async ({ registry }) => {
    await addIds(registry, ['a', 'b', 'c', 'd']);
    assert.equal((await registry.list({ limit: 1 })).next, 'a');
    assert.equal((await registry.list({ limit: 3 })).next, 'c');
  },

  'list leaves next out if the page ends with the last record': async ({ registry }) => {
    await addIds(registry, ['a', 'b', 'c']);
    assert.ok(!('next' in (await registry.list({ limit: 3 }))), 'a page as long as the list has a next');
    assert.ok(!('next' in (await registry.list({ limit: 4 }))), 'a page longer than the list has a next');
    assert.ok(!('next' in (await registry.list({ limit: 2, after: 'a' }))), 'a page that ends the list has a next');
  },

  'list shows only records with a greater id than after, which need not be on record': async ({ registry }) => {
    const records = await addIds(registry, ['a', 'c', 'e']);
    const afters = { '': 0, A: 0, a: 1, b: 1, c: 2, d: 2, e: 3, f: 3 };
    for (const [after, start] of Object.entries(afters)) {
      assert.deepEqual((await registry.list({ limit: 100, after })).keys, records.slice(start), `after ${after}`);
    }
  },

  'list gives each record exactly once over its pages': async ({ registry }) => {
    const records = await addIds(registry, IDS);
    for (const limit of [1, 2, 3, 11]) assert.deepEqual(await allRecordsOf(registry, limit), records, `limit ${limit}`);
  },

  'list returns objects that the caller may change': async ({ registry }) => {
    const { record } = await addKey(registry, { expiresAt: new Date(Date.now() + HOUR) });
    const expected = structuredClone(record);
    const { keys } = await registry.list({ limit: 100 });
    keys[0]?.createdAt.setTime(0);
    keys[0]?.expiresAt?.setTime(0);
    Reflect.set(keys[0] ?? {}, 'name', 'changed');
    (keys as ApiKeyRecord[]).pop();
    assert.deepEqual(await allRecordsOf(registry), [expected]);
  },
};
