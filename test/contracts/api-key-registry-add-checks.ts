import assert from 'node:assert/strict';
import { KEY_LIFETIME_MAX_MS, type ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import {
  addKey,
  addKeys,
  allRecordsOf,
  assertEnds,
  assertWorks,
  HOUR,
  makeKey,
  NO_IDS,
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

/** Changes an object that a registry was given, or has returned. */
function spoil(record: ApiKeyRecord | undefined): void {
  assert.ok(record !== undefined, 'the record is missing');
  record.createdAt.setTime(0);
  record.expiresAt?.setTime(0);
  Reflect.set(record, 'name', 'changed');
}

export const addChecks: Checks<RegistrySubject> = {
  'add keeps every member of a record exactly, and invents none': async ({ registry }) => {
    const now = Date.now();
    const members: readonly Partial<ApiKeyRecord>[] = [
      {},
      { lifetimeMs: 1, expiresAt: new Date(now + 1) },
      { lifetimeMs: 2 ** 31 + 1, expiresAt: new Date(now + 7) },
      { lifetimeMs: KEY_LIFETIME_MAX_MS, expiresAt: new Date(now + KEY_LIFETIME_MAX_MS) },
      { expiresAt: new Date(now + HOUR) },
      { revokedAt: new Date(now + 3) },
      ...Object.values(ENDED),
      ...NAMES.map((name) => ({ name })),
      { id: '_' },
      { id: `-${'aZ09_-b'.repeat(9)}` },
    ];
    for (const each of members) {
      const { record } = await addKey(registry, each);
      assert.deepEqual(await registry.find(record.id), record);
    }
  },

  'add makes an active key work immediately, for its name': async (subject) => {
    const before = [];
    for (const name of ['anna', ...NAMES, 'anna']) {
      const added = await addKey(subject.registry, { name });
      for (const each of [added, ...before]) await assertWorks(subject, each);
      before.push(added);
    }
  },

  'add makes a key work immediately that was refused before': async (subject) => {
    const added = makeKey();
    for (let i = 0; i < 2; i++) assert.equal(await subject.apiKeys.verify(added.key), undefined);
    assert.equal(await subject.registry.add(added.record), true);
    await assertWorks(subject, added);
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

  'add resolves to false for an id or a SHA-256 that is on record, and changes nothing': async (subject) => {
    const { registry, apiKeys } = subject;
    const added = await addKey(registry);
    const { id, digest } = added.record;
    const sameId = makeKey({ id, name: 'ben' });
    for (const { record } of [sameId, makeKey({ digest, name: 'ben' })]) {
      assert.equal(await registry.add(record), false);
      assert.deepEqual(await allRecordsOf(registry), [added.record]);
    }
    assert.equal(await apiKeys.verify(sameId.key), undefined);
    await assertWorks(subject, added);
  },

  'add adds only one of several concurrent records with the same id or SHA-256': async ({ registry }) => {
    const { id, digest } = makeKey().record;
    for (const same of [{ id }, { digest }]) {
      const records = Array.from({ length: 8 }, (_, i) => makeKey({ ...same, name: `name ${i}` }).record);
      const added = await Promise.all(records.map(async (record) => registry.add(record)));
      assert.equal(added.filter(Boolean).length, 1);
      const kept = await registry.find(records[added.indexOf(true)]?.id ?? '');
      assert.deepEqual(kept, records[added.indexOf(true)]);
    }
    assert.equal((await allRecordsOf(registry)).length, 2);
  },

  'callers may change the objects that they pass and get': async ({ registry }) => {
    const { record } = makeKey({ expiresAt: new Date(Date.now() + HOUR) });
    const expected = structuredClone(record);
    await registry.add(record);
    spoil(record);
    assert.deepEqual(await registry.find(expected.id), expected, 'the object that was added');
    spoil(await registry.find(expected.id));
    assert.deepEqual(await registry.find(expected.id), expected, 'the object that was found');
    const { keys } = await registry.list({ limit: 100 });
    spoil(keys[0]);
    (keys as ApiKeyRecord[]).pop();
    assert.deepEqual(await allRecordsOf(registry), [expected], 'the page that was listed');
    const after = { ...structuredClone(expected), expiresAt: new Date(7) };
    assert.equal(await registry.replace(expected, after), true);
    spoil(after);
    assert.deepEqual(await registry.find(expected.id), { ...expected, expiresAt: new Date(7) }, 'the replacement');
  },
};

export const findChecks: Checks<RegistrySubject> = {
  'find resolves to the record with exactly this id': async ({ registry }) => {
    const added = await addKeys(registry, {}, {}, { id: 'a1' }, { id: 'A1' }, { id: 'a' }, { id: 'a11' });
    for (const { record } of added) assert.deepEqual(await registry.find(record.id), record);
  },

  'find resolves to undefined for an id that no record has, whatever its text': async ({ registry }) => {
    const { key, record } = await addKey(registry);
    for (const id of [...NO_IDS, key, record.name, record.digest, record.id.toUpperCase()]) {
      assert.equal(await registry.find(id), undefined);
    }
  },
};
