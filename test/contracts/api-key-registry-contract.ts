import type { ApiKeyRegistry, ApiKeys } from '../../src/domain/api-keys/api-keys.js';
import { createChecks } from './api-key-registry-create-checks.js';
import { listChecks } from './api-key-registry-list-checks.js';
import { revokeChecks } from './api-key-registry-revoke-checks.js';
import { rotateChecks } from './api-key-registry-rotate-checks.js';
import type { RegistrySubject } from './api-key-registry-subject.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** A registry, and the `ApiKeys` that verify the keys that it issues. */
export interface CreatedApiKeyRegistry {
  readonly registry: ApiKeyRegistry;
  readonly apiKeys: ApiKeys;
}

/** Options of {@link verifyApiKeyRegistryContract}. */
export interface ApiKeyRegistryContractOptions {
  /** Makes a registry without any key. Called once for each test. The suite does not close what this opens. */
  readonly createRegistry: () => CreatedApiKeyRegistry | Promise<CreatedApiKeyRegistry>;
  /**
   * How long a check waits for a key to stop working, in milliseconds. The port promises 5 seconds; a busy machine may
   * take longer. Set your runner's time-out above it.
   * @default 10_000
   */
  readonly patienceMs?: number;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** Every check of the contract by the sentence that it proves. */
export const apiKeyRegistryChecks: Checks<RegistrySubject> = {
  ...createChecks,
  ...listChecks,
  ...rotateChecks,
  ...revokeChecks,
};

/**
 * Declares the tests that every {@link ApiKeyRegistry} must pass, together with the {@link ApiKeys} of the same store. The
 * checks of `ApiKeys` itself are in another suite, `verifyApiKeysContract`.
 *
 * @example
 * verifyApiKeyRegistryContract({
 *   createRegistry: () => {
 *     const keys = new InMemoryApiKeys();
 *     return { registry: keys, apiKeys: keys };
 *   },
 * });
 */
export function verifyApiKeyRegistryContract({
  createRegistry,
  patienceMs = 10_000,
  runner,
}: ApiKeyRegistryContractOptions): void {
  const createSubject = async () => ({ ...(await createRegistry()), patienceMs });
  declareSuite('the contract of ApiKeyRegistry', apiKeyRegistryChecks, createSubject, runner);
}
