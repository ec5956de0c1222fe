import type { Context, RootHookObject, Suite } from 'mocha';
import { reachedByProcesses, stryker, type PerTest } from './mutation.js';

/**
 * Mocha's root hooks for a run under Stryker, beside those of `cleanup.ts`. Stryker takes what the `before` hooks of a suite
 * reach for the work of the test before that suite, and sees nothing of other processes. These hooks add what the `before` hooks reach to each
 * test of their suite, and what a process reaches to the test that started it.
 */
export const mochaHooks: RootHookObject = {
  beforeAll(this: Context) {
    suitesOf(this).forEach(markHooks);
  },
  afterAll(this: Context) {
    if (stryker?.mutantCoverage === undefined || stryker.activeMutant !== undefined) return;
    const { perTest } = stryker.mutantCoverage;
    for (const [test, mutant] of reachedByProcesses()) (perTest[test] ??= {})[mutant] ??= 1;
    for (const suite of suitesOf(this)) passOn(suite, perTest);
  },
};

const marked = new WeakSet<Suite>();

/** Has what the `before` hooks of a suite reach noted under the suite, by a hook before them. */
function markHooks(suite: Suite): void {
  suite.suites.forEach(markHooks);
  if (marked.has(suite)) return;
  marked.add(suite);
  suite.beforeAll('note the suite', () => {
    if (stryker !== undefined) stryker.currentTestId = hooksOf(suite);
  });
  const hooks = (suite as unknown as { readonly _beforeAll: unknown[] })._beforeAll;
  hooks.unshift(hooks.pop());
}

/** Adds what the `before` hooks of a suite reached to what its tests and its suites reached. */
function passOn(suite: Suite, perTest: PerTest): void {
  const reached = perTest[hooksOf(suite)];
  delete perTest[hooksOf(suite)];
  if (reached !== undefined) {
    const below = [...suite.tests.map((test) => test.fullTitle()), ...suite.suites.map(hooksOf)];
    for (const id of below) perTest[id] = { ...reached, ...perTest[id] };
  }
  for (const inner of suite.suites) passOn(inner, perTest);
}

/** What stands for the `before` hooks of a suite among the titles of tests. */
function hooksOf(suite: Suite): string {
  return `before ${suite.fullTitle()}`;
}

function suitesOf(context: Context): readonly Suite[] {
  return context.test?.parent?.suites ?? [];
}
