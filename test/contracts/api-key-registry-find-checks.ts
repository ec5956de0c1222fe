import assert from 'node:assert/strict';
import { addKey, addKeys, HOUR, NO_IDS, type RegistrySubject } from './api-key-registry-subject.js';
import type { Checks } from './test-runner.js';

export const findChecks: Checks<RegistrySubject> = {
  'find resolves to the record with exactly this id': async ({ registry }) => {
    const added = await addKeys(registry, {}, {}, { id: 'a1' }, { id: 'A1' }, { id: 'a' }, { id: 'a11' });
    for (const { record } of added) assert.deepEqual(await registry.find(record.id), record);
  },

  'find resolves to undefined for an id that no record has, whatever its text': async ({ registry }) => {
    const { key, record } = await addKey(registry);
    for (const id of [...NO_IDS, key, record.name, record.sha256, record.id.toUpperCase()]) {
      assert.equal(await registry.find(id), undefined);
    }
  },

  'find returns an object that the caller may change': async ({ registry }) => {
    const { record } = await addKey(registry, { expiresAt: new Date(Date.now() + HOUR) });
    const found = await registry.find(record.id);
    found?.createdAt.setTime(0);
    found?.expiresAt?.setTime(0);
    Reflect.set(found ?? {}, 'name', 'changed');
    assert.deepEqual(await registry.find(record.id), record);
  },
};
