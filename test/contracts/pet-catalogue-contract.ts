import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { addChecks, findChecks } from './pet-catalogue-add-checks.js';
import { addOnceChecks, noAddOnceCheck } from './pet-catalogue-add-once-checks.js';
import { listChecks } from './pet-catalogue-list-checks.js';
import { reopenChecks, type ReopenCatalogue } from './pet-catalogue-reopen-checks.js';
import { noRestoreCheck, restoreChecks, restoreOnceChecks } from './pet-catalogue-restore-checks.js';
import { sharedChecks, type OpenAnotherCatalogue } from './pet-catalogue-shared-checks.js';
import { signalChecks, signalOnceChecks } from './pet-catalogue-signal-checks.js';
import { CATALOGUE_RESULTS } from './pet-catalogue-subject.js';
import { originalOf, watched } from './port-results.js';
import { A_BOOLEAN, A_FUNCTION, A_RUNNER, checkOptions, optional } from './suite-options.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** Options of {@link verifyPetCatalogueContract}. */
export interface PetCatalogueContractOptions {
  /** Creates an empty catalogue. Called once for each test. The suite does not close what this function opens. */
  readonly createCatalogue: () => PetCatalogue | Promise<PetCatalogue>;
  /**
   * Whether the catalogue has `addOnce`. Otherwise, the suite checks that it has not.
   * @default false
   */
  readonly addOnce?: boolean;
  /**
   * Whether the catalogue has `records` and `restore`. Otherwise, the suite checks that it has neither.
   * @default false
   */
  readonly restore?: boolean;
  /**
   * Closes a catalogue, and resolves to another one on the same store. With it, the suite checks that the store is persistent: it
   * keeps its animals, their ids and the idempotency keys.
   * @default the suite does not reopen the store
   */
  readonly reopen?: ReopenCatalogue;
  /**
   * Resolves to another catalogue on the same store, and leaves the first one open. With it, the suite checks catalogues that share
   * a store, as processes do: no id is assigned twice, each shows what the other one has stored and knows its idempotency keys, and
   * ids follow those that the other one has restored.
   * @default only one catalogue uses the store
   */
  readonly openAnother?: OpenAnotherCatalogue;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** The checks of a catalogue with these options, by the sentence that each proves. */
export function petCatalogueChecks({
  addOnce = false,
  restore = false,
  reopen,
  openAnother,
}: Omit<PetCatalogueContractOptions, 'createCatalogue' | 'runner'>): Checks<PetCatalogue> {
  return {
    ...addChecks,
    ...(addOnce ? { ...addOnceChecks, ...signalOnceChecks } : noAddOnceCheck),
    ...findChecks,
    ...listChecks,
    ...(restore ? restoreChecks : noRestoreCheck),
    ...(addOnce && restore && restoreOnceChecks),
    ...signalChecks,
    ...(reopen && reopenChecks(reopen, { addOnce, restore })),
    ...(openAnother && sharedChecks(openAnother, { addOnce, restore })),
  };
}

/**
 * Declares the tests that every {@link PetCatalogue} must pass: one for each sentence of the port's docstring that can be
 * observed from outside. The adapter's own tests have to cover a store that does not answer.
 *
 * @throws TypeError that names the option that is missing, unknown or wrong, before it declares a test.
 *
 * @example
 * import { describe, it } from 'node:test';
 * import { verifyPetCatalogueContract } from 'animal-store/contract';
 *
 * verifyPetCatalogueContract({ createCatalogue: () => new MyPetCatalogue(), runner: { describe, it } });
 */
export function verifyPetCatalogueContract(options: PetCatalogueContractOptions): void {
  checkOptions('verifyPetCatalogueContract', options, {
    createCatalogue: A_FUNCTION,
    addOnce: optional(A_BOOLEAN),
    restore: optional(A_BOOLEAN),
    reopen: optional(A_FUNCTION),
    openAnother: optional(A_FUNCTION),
    runner: optional(A_RUNNER),
  });
  const { createCatalogue, reopen, openAnother, runner, ...capabilities } = options;
  const checks = petCatalogueChecks({
    ...capabilities,
    ...(reopen && { reopen: async (catalogue) => watch(await reopen(originalOf(catalogue)), 'reopen') }),
    ...(openAnother && {
      openAnother: async (catalogue) => watch(await openAnother(originalOf(catalogue)), 'openAnother'),
    }),
  });
  const createSubject = async () => watch(await createCatalogue(), 'createCatalogue');
  declareSuite('the contract of PetCatalogue', checks, createSubject, runner);
}

function watch(catalogue: PetCatalogue, source: string): PetCatalogue {
  return watched(catalogue, CATALOGUE_RESULTS, source);
}
