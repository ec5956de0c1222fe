import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Which mutants each test reaches, and how often. */
export type PerTest = Record<string, Record<string, number>>;

/** What Stryker keeps in its global variable. */
interface Stryker {
  /** The mutant that this run tests; none while Stryker finds out which tests reach a mutant. */
  readonly activeMutant?: string;
  currentTestId?: string;
  readonly mutantCoverage?: { readonly perTest: PerTest };
}

/** `undefined` unless the tests run under Stryker. */
export const stryker = (globalThis as { readonly __stryker__?: Stryker }).__stryker__;

const CHILD = new URL('mutation-child.js', import.meta.url).href;
/** Where the processes of this run note the mutants that they reach, by `mutation-child.js`. */
const COVERAGE = join(tmpdir(), `animal-store-mutation-${process.pid}.jsonl`);

/**
 * The variables by which a process that a test starts has the mutant of this run; none unless under Stryker.
 *
 * @param nodeOptions The `NODE_OPTIONS` that the test gives to the process.
 */
export function mutationEnvironment(nodeOptions = ''): Readonly<Record<string, string>> {
  if (stryker === undefined) return {};
  const { activeMutant, currentTestId = '' } = stryker;
  if (activeMutant !== undefined) return { __STRYKER_ACTIVE_MUTANT__: activeMutant };
  return {
    NODE_OPTIONS: `${nodeOptions} --import ${CHILD}`,
    MUTATION_COVERAGE: COVERAGE,
    MUTATION_TEST: currentTestId,
  };
}

/** The mutants that processes reached, each with the test that started the process. */
export function reachedByProcesses(): readonly (readonly [test: string, mutant: string])[] {
  if (!existsSync(COVERAGE)) return [];
  const lines = readFileSync(COVERAGE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as [string, string]);
}
