import { addChecks, findChecks } from './api-key-registry-add-checks.js';
import { listChecks } from './api-key-registry-list-checks.js';
import { reopenChecks } from './api-key-registry-reopen-checks.js';
import { replaceChecks } from './api-key-registry-replace-checks.js';
import { sharedChecks } from './api-key-registry-shared-checks.js';
import { openedBy, subjectOf, type CreatedApiKeyRegistry, type RegistrySubject } from './api-key-registry-subject.js';
import { A_FUNCTION, A_RUNNER, checkOptions, optional } from './suite-options.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** Closes a registry and its `ApiKeys`, and opens their store again. */
export type ReopenApiKeyRegistry = (
  created: CreatedApiKeyRegistry,
) => CreatedApiKeyRegistry | Promise<CreatedApiKeyRegistry>;

/** Opens another registry and its `ApiKeys` on the store of those that stay open. */
export type OpenAnotherApiKeyRegistry = (
  created: CreatedApiKeyRegistry,
) => CreatedApiKeyRegistry | Promise<CreatedApiKeyRegistry>;

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
  /**
   * Resolves to another registry and its `ApiKeys` on the same store, and leaves the first ones open. With it, the suite checks
   * registries that share a store, as processes do: each shows the changes of the other one, and a key works or ends in both.
   * @default only one registry uses the store
   */
  readonly openAnother?: OpenAnotherApiKeyRegistry;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** The checks of a registry with these options, by the sentence that each proves. */
export function apiKeyRegistryChecks({
  reopen,
  openAnother,
}: Pick<ApiKeyRegistryContractOptions, 'reopen' | 'openAnother'> = {}): Checks<RegistrySubject> {
  return {
    ...addChecks,
    ...listChecks,
    ...findChecks,
    ...replaceChecks,
    ...(reopen && reopenChecks(openedBy(reopen, 'reopen'))),
    ...(openAnother && sharedChecks(openedBy(openAnother, 'openAnother'))),
  };
}

/**
 * Declares the tests that every `ApiKeyRegistry` must pass, together with the `ApiKeys` of the same store. The checks of
 * `ApiKeys` itself are in another suite, `verifyApiKeysContract`.
 *
 * @throws TypeError that names the option that is missing, unknown or wrong, before it declares a test.
 *
 * @example
 * verifyApiKeyRegistryContract({
 *   createRegistry: () => {
 *     const keys = new InMemoryApiKeys();
 *     return { registry: keys, apiKeys: keys };
 *   },
 * });
 */
export function verifyApiKeyRegistryContract(options: ApiKeyRegistryContractOptions): void {
  checkOptions('verifyApiKeyRegistryContract', options, {
    createRegistry: A_FUNCTION,
    patienceMs: optional({
      rule: 'a positive number of milliseconds',
      accepts: (ms) => typeof ms === 'number' && ms > 0,
    }),
    reopen: optional(A_FUNCTION),
    openAnother: optional(A_FUNCTION),
    runner: optional(A_RUNNER),
  });
  const { createRegistry, patienceMs = 10_000, runner } = options;
  const createSubject = async () => subjectOf(await createRegistry(), patienceMs, 'createRegistry');
  declareSuite('the contract of ApiKeyRegistry', apiKeyRegistryChecks(options), createSubject, runner);
}
