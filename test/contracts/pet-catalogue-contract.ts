import type { PetCatalogue } from '../../src/domain/pet-catalogue.js';
import { addChecks, findChecks } from './pet-catalogue-add-checks.js';
import { addOnceCheck, addOnceChecks } from './pet-catalogue-add-once-checks.js';
import { listChecks } from './pet-catalogue-list-checks.js';
import { reopenChecks, type ReopenCatalogue } from './pet-catalogue-reopen-checks.js';
import { restoreCheck, restoreChecks } from './pet-catalogue-restore-checks.js';
import { sharedChecks, type OpenAnotherCatalogue } from './pet-catalogue-shared-checks.js';
import { signalChecks } from './pet-catalogue-signal-checks.js';
import { declareSuite, type Checks, type TestRunner } from './test-runner.js';

/** Options of {@link verifyPetCatalogueContract}. */
export interface PetCatalogueContractOptions {
  /** Creates an empty catalogue. Called once for each test. The suite does not close what this function opens. */
  readonly createCatalogue: () => PetCatalogue | Promise<PetCatalogue>;
  /**
   * Whether the catalogue must have `addOnce`. Otherwise, the checks of `addOnce` pass if the method is missing.
   * @default false
   */
  readonly addOnce?: boolean;
  /**
   * Whether the catalogue must have `records` and `restore`. Otherwise, their checks pass if the methods are missing.
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
   * a store, as processes do: no id is assigned twice, each knows the idempotency keys of the other one, and ids follow those that
   * the other one has restored.
   * @default only one catalogue uses the store
   */
  readonly openAnother?: OpenAnotherCatalogue;
  /** The runner's functions if they are not global. @default the global `describe` and `it` */
  readonly runner?: TestRunner;
}

/** Every check of the contract, by the sentence that it proves. */
export const petCatalogueChecks: Checks<PetCatalogue> = {
  ...addChecks,
  ...addOnceChecks,
  ...findChecks,
  ...listChecks,
  ...restoreChecks,
  ...signalChecks,
};

/**
 * Declares the tests that every {@link PetCatalogue} must pass: one for each sentence of the port's docstring that can be
 * observed from outside. The adapter's own tests have to cover a store that does not answer.
 *
 * @example
 * import { describe, it } from 'node:test';
 * import { verifyPetCatalogueContract } from 'animal-store/contract';
 *
 * verifyPetCatalogueContract({ createCatalogue: () => new MyPetCatalogue(), runner: { describe, it } });
 */
export function verifyPetCatalogueContract({
  createCatalogue,
  addOnce = false,
  restore = false,
  reopen,
  openAnother,
  runner,
}: PetCatalogueContractOptions): void {
  const checks = {
    ...petCatalogueChecks,
    ...(addOnce && addOnceCheck),
    ...(restore && restoreCheck),
    ...(reopen && reopenChecks(reopen)),
    ...(openAnother && sharedChecks(openAnother)),
  };
  declareSuite('the contract of PetCatalogue', checks, createCatalogue, runner);
}
