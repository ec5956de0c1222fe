import { addChecks, findChecks } from './api-key-registry-add-checks.js';
import { listChecks } from './api-key-registry-list-checks.js';
import {
  reopenChecks,
  type CreatedApiKeyRegistry,
  type ReopenApiKeyRegistry,
} from './api-key-registry-reopen-checks.js';
import { replaceChecks } from './api-key-registry-replace-checks.js';
import type { RegistrySubject } from './api-key-registry-subject.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** Options of {@link verifyApiKeyRegistryContract}. */
export interface ApiKeyRegistryContractOptions {
  /** Creates an empty registry. Called once for each test. The suite does not close what this function opens. */
  readonly createRegistry: () => CreatedApiKeyRegistry | Promise<CreatedApiKeyRegistry>;
  /**
   * How long a check waits for a key to stop working, in milliseconds. The port guarantees 5 seconds, but a busy machine may
   * take longer. Set your runner's time-out higher than this.
   * @default 10_000
   */
  readonly patienceMs?: number;
  /**
   * Closes a registry and its `ApiKeys`, and resolves to others on the same store. With it, the suite checks that the store is
   * persistent: it keeps its records, and their keys work or are revoked as before.
   * @default the suite does not reopen the store
   */
  readonly reopen?: ReopenApiKeyRegistry;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** Every check of the contract, by the sentence that it proves. */
export const apiKeyRegistryChecks: Checks<RegistrySubject> = {
  ...addChecks,
  ...listChecks,
  ...findChecks,
  ...replaceChecks,
};

/**
 * Declares the tests that every `ApiKeyRegistry` must pass, together with the `ApiKeys` of the same store. The checks of
 * `ApiKeys` itself are in another suite, `verifyApiKeysContract`.
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
  reopen,
  runner,
}: ApiKeyRegistryContractOptions): void {
  const createSubject = async () => ({ ...(await createRegistry()), patienceMs });
  const checks = { ...apiKeyRegistryChecks, ...(reopen && reopenChecks(reopen)) };
  declareSuite('the contract of ApiKeyRegistry', checks, createSubject, runner);
}
