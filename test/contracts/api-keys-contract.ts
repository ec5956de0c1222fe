import assert from 'node:assert/strict';
import type { ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { isObject, watched, type PortResults } from './port-results.js';
import { A_FUNCTION, A_RUNNER, checkOptions, optional } from './suite-options.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** Active keys, and one key for each requested name, in the same order. */
export interface IssuedKeys {
  readonly apiKeys: ApiKeys;
  readonly keys: readonly string[];
}

/** Options of {@link verifyApiKeysContract}. */
export interface ApiKeysContractOptions {
  /** Activates a new key for each name; none if there are no names. Called once for each test. */
  readonly issueKeys: (names: readonly string[]) => IssuedKeys | Promise<IssuedKeys>;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** What each method of API keys gives. */
export const API_KEYS_RESULTS: PortResults<ApiKeys> = {
  verify: {
    must: 'resolve to { name }, whom the key belongs to, or to undefined',
    isRight: (principal) => principal === undefined || isObject(principal),
  },
};

type Issue = ApiKeysContractOptions['issueKeys'];

const STRINGS = ['', ' ', 'x', '__proto__', 'constructor', '$where', '\0', '\ud800', '😀', 'x'.repeat(10_000)];

/** Every check of the contract, by the sentence that it proves. */
export const apiKeysChecks: Checks<Issue> = {
  'verify resolves to the principal that the key belongs to, each time': async (issueKeys) => {
    const names = ['anna', 'ben', 'cleo', 'anna'];
    const { apiKeys, keys } = await issueKeys(names);
    assert.equal(new Set(keys).size, names.length, 'two keys are equal');
    for (const [i, name] of [...names.entries(), ...names.entries()]) {
      assert.equal((await apiKeys.verify(keys[i] as string))?.name, name);
      assert.equal(await apiKeys.verify('no such key'), undefined);
    }
  },

  'verify resolves to undefined if no key is active': async (issueKeys) => {
    const { apiKeys } = await issueKeys([]);
    assert.equal(await apiKeys.verify('no such key'), undefined);
  },

  'verify resolves to undefined for a string that is not a key': async (issueKeys) => {
    const { apiKeys } = await issueKeys(['anna']);
    for (const text of STRINGS) assert.equal(await apiKeys.verify(text), undefined, JSON.stringify(text));
  },

  'verify resolves to undefined for a string that is almost a key': async (issueKeys) => {
    const { apiKeys, keys } = await issueKeys(['anna']);
    const key = keys[0] as string;
    const last = key.endsWith('a') ? 'b' : 'a';
    const parts = [key.slice(1), key.slice(0, -1), key.slice(0, -1) + last];
    const near = [...parts, `${key} `, ` ${key}`, `${key}\0`, key.toUpperCase(), key.toLowerCase()];
    for (const text of near) if (text !== key) assert.equal(await apiKeys.verify(text), undefined, 'a near key passes');
  },

  'verify resolves to undefined for the digest of a key': async (issueKeys) => {
    const { apiKeys, keys } = await issueKeys(['anna']);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(keys[0] as string)));
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      assert.equal(await apiKeys.verify(digest.toString(encoding)), undefined);
    }
  },

  'verify answers any number of concurrent calls': async (issueKeys) => {
    const { apiKeys, keys } = await issueKeys(['anna', 'ben']);
    const principals = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => apiKeys.verify(keys[i % 2] as string)),
    );
    for (const [i, principal] of principals.entries()) assert.equal(principal?.name, i % 2 === 0 ? 'anna' : 'ben');
  },
};

/**
 * Declares the tests that every {@link ApiKeys} must pass.
 *
 * @throws TypeError that names the option that is missing, unknown or wrong, before it declares a test.
 *
 * @example
 * verifyApiKeysContract({
 *   issueKeys: (names) => {
 *     const issued = names.map((name) => ({ name, key: randomUUID() }));
 *     return { apiKeys: new InMemoryApiKeys(issued), keys: issued.map(({ key }) => key) };
 *   },
 * });
 */
export function verifyApiKeysContract(options: ApiKeysContractOptions): void {
  checkOptions('verifyApiKeysContract', options, { issueKeys: A_FUNCTION, runner: optional(A_RUNNER) });
  const { issueKeys, runner } = options;
  const issue: Issue = async (names) => {
    const issued = await issueKeys(names);
    assert.ok(isObject(issued) && Array.isArray(issued.keys), 'issueKeys must resolve to { apiKeys, keys }');
    return { apiKeys: watched(issued.apiKeys, API_KEYS_RESULTS, 'issueKeys'), keys: issued.keys };
  };
  declareSuite('the contract of ApiKeys', apiKeysChecks, () => issue, runner);
}
