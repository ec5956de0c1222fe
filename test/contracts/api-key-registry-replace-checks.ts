import assert from 'node:assert/strict';
import type { ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import {
  addKey,
  addKeys,
  allRecordsOf,
  assertEnds,
  assertWorks,
  HOUR,
  makeKey,
  type RegistrySubject,
} from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

/** Two times a millisecond apart, long after the checks have run. */
const SOON = new Date(Date.UTC(2100, 0));
const LATER = new Date(SOON.getTime() + 1);

/** The ways in which a key may end, as two members of its record. */
const ENDS: readonly Pick<ApiKeyRecord, 'expiresAt' | 'revokedAt'>[] = [
  {},
  { expiresAt: SOON },
  { expiresAt: LATER },
  { revokedAt: SOON },
  { revokedAt: LATER },
  { expiresAt: SOON, revokedAt: SOON },
  { expiresAt: SOON, revokedAt: LATER },
];

/** The replacements for a record with the first end. */
const CHANGES = [
  [{}, { expiresAt: SOON }],
  [{}, { revokedAt: SOON }],
  [{}, { expiresAt: SOON, revokedAt: LATER }],
  [{ expiresAt: LATER }, { expiresAt: SOON }],
  [{ expiresAt: SOON }, { expiresAt: SOON, revokedAt: LATER }],
  [{ revokedAt: SOON }, { expiresAt: LATER, revokedAt: SOON }],
] as const;

export const replaceChecks: Checks<RegistrySubject> = {
  'replace changes a record as find and list return it, and resolves to true': async ({ registry }) => {
    for (const [i, [before, after]] of CHANGES.entries()) {
      const { record } = await addKey(registry, { lifetimeMs: HOUR, ...before });
      const listed = await allRecordsOf(registry);
      const read = i % 2 ? await registry.find(record.id) : listed.find(({ id }) => id === record.id);
      assert.ok(read !== undefined, 'the record is missing');
      assert.equal(await registry.replace(read, { ...read, ...after }), true);
      assert.deepEqual(await registry.find(record.id), { ...record, ...after });
    }
  },

  'replace resolves to true for an equal record, and changes nothing': async ({ registry }) => {
    const { record } = await addKey(registry, { expiresAt: SOON });
    assert.equal(await registry.replace(record, structuredClone(record)), true);
    assert.deepEqual(await allRecordsOf(registry), [record]);
  },

  'replace resolves to false if the expiry or the revocation was changed, and changes nothing': async ({
    registry,
  }) => {
    for (const end of ENDS) {
      const { record } = await addKey(registry, end);
      for (const other of ENDS.filter((each) => each !== end)) {
        const { expiresAt: _expiresAt, revokedAt: _revokedAt, ...endless } = record;
        const before = { ...endless, ...other };
        const after = { ...before, expiresAt: new Date(1), revokedAt: new Date(2) };
        assert.equal(await registry.replace(before, after), false);
        assert.deepEqual(await registry.find(record.id), record);
      }
    }
  },

  'replace resolves to false for an id that no record has, and adds nothing': async ({ registry }) => {
    const { record } = makeKey();
    assert.equal(await registry.replace(record, { ...record, revokedAt: SOON }), false);
    assert.deepEqual(await allRecordsOf(registry), []);
  },

  'replace leaves all other records unchanged, including those with the same name': async (subject) => {
    const [first, ...others] = await addKeys(subject.registry, {}, {}, { name: 'ben' });
    const { record } = first as { record: ApiKeyRecord };
    assert.equal(await subject.registry.replace(record, { ...record, revokedAt: new Date() }), true);
    for (const other of others) {
      assert.deepEqual(await subject.registry.find(other.record.id), other.record);
      await assertWorks(subject, other);
    }
  },

  'replace makes only one of several concurrent changes to the same record': async ({ registry }) => {
    const { record } = await addKey(registry);
    const afters = Array.from({ length: 8 }, (_, i) => ({ ...record, expiresAt: new Date(SOON.getTime() + i) }));
    const replaced = await Promise.all(afters.map(async (after) => registry.replace(record, after)));
    assert.equal(replaced.filter(Boolean).length, 1);
    assert.deepEqual(await registry.find(record.id), afters[replaced.indexOf(true)]);
  },

  'replace ends a key that was in use, by a revocation or an expiry, and not before': async (subject) => {
    for (const end of [{ revokedAt: new Date() }, { expiresAt: new Date() }]) {
      const added = await addKey(subject.registry);
      await assertWorks(subject, added);
      const soon = { ...added.record, expiresAt: SOON };
      assert.equal(await subject.registry.replace(added.record, soon), true);
      await assertWorks(subject, added);
      assert.equal(await subject.registry.replace(soon, { ...soon, ...end }), true);
      await assertEnds(subject, added.key);
    }
  },
};
