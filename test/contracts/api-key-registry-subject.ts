import assert from 'node:assert/strict';
import { hash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { issueApiKey, KEY_RANDOM_BYTES, type ApiKeyRecord } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { API_KEYS_RESULTS } from './api-keys-contract.js';
import { isObject, originalOf, watched, type PortResults } from './port-results.js';

/** What each method of a registry gives. */
const REGISTRY_RESULTS: PortResults<ApiKeyRegistry> = {
  add: { must: 'resolve to a boolean', isRight: (isAdded) => typeof isAdded === 'boolean' },
  list: {
    must: 'resolve to { keys }, an array of records, and with next, an id, if more follow',
    isRight: (page) => isObject(page) && Array.isArray(page['keys']),
  },
  find: {
    must: 'resolve to the record or to undefined',
    isRight: (record) => record === undefined || isObject(record),
  },
  replace: { must: 'resolve to a boolean', isRight: (isReplaced) => typeof isReplaced === 'boolean' },
};

/** A registry, and the `ApiKeys` that verify the keys in it. */
export interface CreatedApiKeyRegistry {
  readonly registry: ApiKeyRegistry;
  readonly apiKeys: ApiKeys;
}

/** The subject of the checks of a registry. */
export interface RegistrySubject extends CreatedApiKeyRegistry {
  /** How long to wait for a key to stop working, in milliseconds. */
  readonly patienceMs: number;
}

/** Opens the store of a subject, and resolves to another subject on it. */
export type OpenSubject = (subject: RegistrySubject) => Promise<RegistrySubject>;

/** A subject whose methods say what they must give. */
export function subjectOf(created: CreatedApiKeyRegistry, patienceMs: number, source: string): RegistrySubject {
  assert.ok(isObject(created), `${source} must resolve to { registry, apiKeys }`);
  return {
    registry: watched(created.registry, REGISTRY_RESULTS, source),
    apiKeys: watched(created.apiKeys, API_KEYS_RESULTS, source),
    patienceMs,
  };
}

/** Opens the store of a subject by a function of its author. */
export function openedBy(
  open: (created: CreatedApiKeyRegistry) => CreatedApiKeyRegistry | Promise<CreatedApiKeyRegistry>,
  source: string,
): OpenSubject {
  return async ({ registry, apiKeys, patienceMs }) => {
    const created = { registry: originalOf(registry), apiKeys: originalOf(apiKeys) };
    return subjectOf(await open(created), patienceMs, source);
  };
}

export const HOUR = 3_600_000;

/** Texts that a caller may pass as an id, although no record has them. */
export const NO_IDS = ['', ' ', 'nobody', '0', '__proto__', '$where', '\0', '😀', "' or 1=1 --", 'x'.repeat(10_000)];

/** A key and its record. */
export interface KeyOnRecord {
  readonly key: string;
  readonly record: ApiKeyRecord;
}

/** Makes a new key and its record: as the domain issues it, except for the given members. */
export function makeKey(members: Partial<ApiKeyRecord> = {}): KeyOnRecord {
  const { name = 'anna', createdAt = new Date() } = members;
  const material = { now: createdAt, random: randomBytes(KEY_RANDOM_BYTES) };
  const { key, ...apiKey } = issueApiKey({ name }, material);
  return { key, record: { ...apiKey, digest: hash('sha256', key), ...members } };
}

/** Makes keys, as {@link makeKey} does, and adds their records one after the other. */
export async function addKeys(
  registry: ApiKeyRegistry,
  ...all: readonly Partial<ApiKeyRecord>[]
): Promise<KeyOnRecord[]> {
  const added = all.map(makeKey);
  for (const { record } of added) assert.equal(await registry.add(record), true);
  return added;
}

/** Makes one key, and adds its record. */
export async function addKey(registry: ApiKeyRegistry, members: Partial<ApiKeyRecord> = {}): Promise<KeyOnRecord> {
  const [added] = await addKeys(registry, members);
  return added as KeyOnRecord;
}

/** Every record of a registry, page by page. */
export async function allRecordsOf(registry: ApiKeyRegistry, limit = 100): Promise<ApiKeyRecord[]> {
  const all: ApiKeyRecord[] = [];
  let after: string | undefined;
  do {
    const { keys, next } = await registry.list({ limit, ...(after !== undefined && { after }) });
    assert.ok(next === undefined || keys.length > 0, 'an empty page has a next');
    all.push(...keys);
    assert.ok(all.length <= 1000, 'the pages do not end');
    after = next;
  } while (after !== undefined);
  return all;
}

/** Asserts that a key works, for this name. */
export async function assertWorks({ apiKeys }: RegistrySubject, { key, record }: KeyOnRecord): Promise<void> {
  assert.equal((await apiKeys.verify(key))?.name, record.name);
}

/** Waits until a key has stopped working. */
export async function assertEnds({ apiKeys, patienceMs }: RegistrySubject, key: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while ((await apiKeys.verify(key)) !== undefined) {
    assert.ok(performance.now() < end, `the key still works after ${patienceMs} ms`);
    await delay(5);
  }
}
