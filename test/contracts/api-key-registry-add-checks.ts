import assert from 'node:assert/strict';
import { KEY_LIFETIME_MAX_MS } from '../../src/domain/api-keys/api-key.js';
import {
  addKey,
  allRecordsOf,
  assertEnds,
  assertWorks,
  HOUR,
  makeKey,
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

/** Records of keys that are no longer active, by the reason. */
const ENDED = {
  expired: { createdAt: new Date(1), lifetimeMs: HOUR, expiresAt: new Date(1 + HOUR) },
  revoked: { createdAt: new Date(1), revokedAt: new Date(2) },
  both: { createdAt: new Date(1), lifetimeMs: HOUR, expiresAt: new Date(1 + HOUR), revokedAt: new Date(2) },
};

export const addChecks: Checks<RegistrySubject> = {
  'add keeps every member of a record, and invents none': async ({ registry }) => {
    const now = Date.now();
    const members = [
      {},
      { lifetimeMs: 1, expiresAt: new Date(now + 1) },
      { lifetimeMs: 2 ** 31 + 1, expiresAt: new Date(now + 7) },
      { lifetimeMs: KEY_LIFETIME_MAX_MS, expiresAt: new Date(now + KEY_LIFETIME_MAX_MS) },
      { expiresAt: new Date(now + HOUR) },
      { revokedAt: new Date(now + 3) },
      ...Object.values(ENDED),
    ];
    for (const each of members) {
      const { record } = await addKey(registry, each);
      assert.deepEqual(await registry.find(record.id), record);
    }
  },

  'add keeps a name exactly': async (subject) => {
    for (const name of NAMES) {
      const added = await addKey(subject.registry, { name });
      assert.equal((await subject.registry.find(added.record.id))?.name, name);
      await assertWorks(subject, added);
    }
  },

  'add keeps an id of one character and one of 64': async ({ registry }) => {
    for (const id of ['_', `-${'aZ09_-b'.repeat(9)}`]) {
      const { record } = await addKey(registry, { id });
      assert.deepEqual(await registry.find(id), record);
    }
  },

  'add makes an active key work immediately': async (subject) => {
    for (const name of ['anna', 'ben', 'anna']) await assertWorks(subject, await addKey(subject.registry, { name }));
  },

  'add makes a key work even if another was looked up before': async (subject) => {
    const anna = await addKey(subject.registry);
    await assertWorks(subject, anna);
    const ben = await addKey(subject.registry, { name: 'ben' });
    await assertWorks(subject, anna);
    await assertWorks(subject, ben);
  },

  'add does not make an inactive key work': async ({ registry, apiKeys }) => {
    for (const [why, members] of Object.entries(ENDED)) {
      const { key } = await addKey(registry, members);
      assert.equal(await apiKeys.verify(key), undefined, why);
    }
  },

  'a key stops working when it expires': async (subject) => {
    const { key } = await addKey(subject.registry, { expiresAt: new Date(Date.now() + 1) });
    await assertEnds(subject, key);
  },

  'add adds records concurrently': async ({ registry }) => {
    const records = Array.from({ length: 32 }, () => makeKey().record);
    const added = await Promise.all(records.map(async (record) => registry.add(record)));
    assert.deepEqual(added, Array(32).fill(true));
    assert.equal((await allRecordsOf(registry)).length, 32);
  },

  'add resolves to false for an id that is on record, and changes nothing': async ({ registry, apiKeys }) => {
    const { record } = await addKey(registry);
    const other = makeKey({ id: record.id, name: 'ben' });
    assert.equal(await registry.add(other.record), false);
    assert.deepEqual(await allRecordsOf(registry), [record]);
    assert.equal(await apiKeys.verify(other.key), undefined);
  },

  'add resolves to false for a SHA-256 that is on record, and changes nothing': async (subject) => {
    const added = await addKey(subject.registry);
    const { sha256 } = added.record;
    assert.equal(await subject.registry.add(makeKey({ sha256, name: 'ben' }).record), false);
    assert.deepEqual(await allRecordsOf(subject.registry), [added.record]);
    await assertWorks(subject, added);
  },

  'add adds only one of several concurrent records with the same id or SHA-256': async ({ registry }) => {
    const { id, sha256 } = makeKey().record;
    for (const same of [{ id }, { sha256 }]) {
      const records = Array.from({ length: 8 }, (_, i) => makeKey({ ...same, name: `name ${i}` }).record);
      const added = await Promise.all(records.map(async (record) => registry.add(record)));
      assert.equal(added.filter(Boolean).length, 1);
      const kept = await registry.find(records[added.indexOf(true)]?.id ?? '');
      assert.deepEqual(kept, records[added.indexOf(true)]);
    }
    assert.equal((await allRecordsOf(registry)).length, 2);
  },

  'add does not keep the object that it was given': async ({ registry }) => {
    const { record } = await addKey(registry, { expiresAt: new Date(Date.now() + HOUR) });
    const expected = structuredClone(record);
    record.createdAt.setTime(0);
    record.expiresAt?.setTime(0);
    Reflect.set(record, 'name', 'changed');
    assert.deepEqual(await registry.find(expected.id), expected);
  },
};
