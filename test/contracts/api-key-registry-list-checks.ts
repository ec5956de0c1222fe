import assert from 'node:assert/strict';
import type { ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry } from '../../src/domain/api-keys/api-keys.js';
import { addKeys, allRecordsOf, type RegistrySubject } from './api-key-registry-subject.js';
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

  'list is by ascending id, and gives each record exactly once over its pages': async ({ registry }) => {
    const records = await addIds(registry, IDS);
    for (const limit of [1, 2, 3, 11, 100]) {
      assert.deepEqual(await allRecordsOf(registry, limit), records, `limit ${limit}`);
    }
  },

  'list returns at most limit records, and up to 100': async ({ registry }) => {
    await addKeys(registry, ...Array.from({ length: 101 }, () => ({})));
    for (const limit of [1, 2, 100]) assert.equal((await registry.list({ limit })).keys.length, limit);
  },

  'list has the id of its last record as next if more follow, and otherwise no next': async ({ registry }) => {
    await addIds(registry, ['a', 'b', 'c']);
    assert.equal((await registry.list({ limit: 1 })).next, 'a');
    assert.equal((await registry.list({ limit: 2 })).next, 'b');
    for (const query of [{ limit: 3 }, { limit: 4 }, { limit: 2, after: 'a' }]) {
      assert.ok(!('next' in (await registry.list(query))), `${JSON.stringify(query)} has a next`);
    }
  },

  'list shows only records with a greater id than after, which need not be on record': async ({ registry }) => {
    const records = await addIds(registry, ['a', 'c', 'e']);
    const afters = { '': 0, A: 0, a: 1, b: 1, c: 2, d: 2, e: 3, f: 3 };
    for (const [after, start] of Object.entries(afters)) {
      assert.deepEqual((await registry.list({ limit: 100, after })).keys, records.slice(start), `after ${after}`);
    }
  },
};
