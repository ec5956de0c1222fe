import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiKey } from '../../src/domain/api-keys/api-key.js';
import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import type { AnimalStoreErrorCode } from '../../src/domain/errors.js';

/** The subject of the checks of a registry. */
export interface RegistrySubject {
  readonly registry: ApiKeyRegistry;
  readonly apiKeys: ApiKeys;
  /** How long to wait for a key to stop working, in milliseconds. */
  readonly patienceMs: number;
}

export const HOUR = 3_600_000;

/** Texts that a caller may give as an id, although no key has it. */
export const NO_IDS = ['', ' ', 'nobody', '0', '__proto__', '$where', '\0', '😀', "' or 1=1 --", 'x'.repeat(10_000)];

/** Every key of a registry, page by page. */
export async function allKeysOf(registry: ApiKeyRegistry, limit = 100): Promise<ApiKey[]> {
  const all: ApiKey[] = [];
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

/** The key with this id, as the registry lists it. */
export async function listed(registry: ApiKeyRegistry, id: string): Promise<ApiKey> {
  const found = (await allKeysOf(registry)).filter((key) => key.id === id);
  assert.equal(found.length, 1, `${found.length} keys are listed with this id`);
  return found[0] as ApiKey;
}

/** Waits until a key has stopped working. */
export async function assertEnds({ apiKeys, patienceMs }: RegistrySubject, key: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while ((await apiKeys.verify(key)) !== undefined) {
    assert.ok(performance.now() < end, `the key still works after ${patienceMs} ms`);
    await delay(5);
  }
}

/** Waits until the clock has passed a time. */
export async function untilAfter(time: Date | undefined): Promise<void> {
  assert.ok(time !== undefined, 'there is no time to wait for');
  while (Date.now() <= time.getTime()) await delay(1);
}

/** Asserts that a call rejects with an `AnimalStoreError` of this code, and with faults of these members. */
export async function assertRejects(
  call: Promise<unknown>,
  code: AnimalStoreErrorCode,
  members: readonly string[] = [],
): Promise<Error> {
  let rejection: unknown;
  try {
    await call;
  } catch (error) {
    rejection = error;
  }
  assert.ok(rejection instanceof Error, 'it does not reject with an error');
  const { name, code: actual, faults } = rejection as { name: string; code?: unknown; faults?: unknown };
  assert.deepEqual({ name, code: actual }, { name: 'AnimalStoreError', code });
  assert.ok(Array.isArray(faults), 'the error has no faults');
  assert.deepEqual(
    faults.map((fault: { member?: unknown }) => fault.member),
    members,
  );
  return rejection;
}
