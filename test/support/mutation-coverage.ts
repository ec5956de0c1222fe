import type { Context, RootHookObject, Runnable, Suite } from 'mocha';
import { fileURLToPath } from 'node:url';
import { CLI_VARIABLE } from './command.js';
import { reachedByProcesses, stryker, type PerTest } from './mutation.js';

// A bundle starts in half the time.
process.env[CLI_VARIABLE] = fileURLToPath(new URL('../../dist/src/bootstrap/cli.js', import.meta.url));

/**
 * Mocha's root hooks for a run under Stryker, beside those of `cleanup.ts`. Stryker takes what the `before` hooks of a suite
 * reach for the work of the test before that suite, and sees nothing of other processes. These hooks add what the `before`
 * hooks reach to each test of their suite, and what a process reaches to the test that started it.
 */
export const mochaHooks: RootHookObject = {
  beforeAll(this: Context) {
    suitesOf(this).forEach(prepare);
  },
  afterAll(this: Context) {
    if (stryker?.mutantCoverage === undefined || stryker.activeMutant !== undefined) return;
    const { perTest } = stryker.mutantCoverage;
    for (const [test, mutant] of reachedByProcesses()) (perTest[test] ??= {})[mutant] ??= 1;
    for (const suite of suitesOf(this)) passOn(suite, perTest);
  },
};

/** After how many milliseconds a test or a hook counts as hanging: several times what the slowest takes. */
const LIMIT = 15_000;
const HOOKS = ['_beforeAll', '_beforeEach', '_afterEach', '_afterAll'] as const;

/** The hooks of a suite, which Mocha's types hide. */
type Hooks = Readonly<Record<(typeof HOOKS)[number], Runnable[]>>;

const prepared = new WeakSet<Suite>();

/**
 * Has what the `before` hooks of a suite reach noted under the suite, by a hook before them. Ends what hangs, as Stryker gives
 * all tests together one limit, which is long, and then starts its process anew.
 */
function prepare(suite: Suite): void {
  suite.suites.forEach(prepare);
  if (prepared.has(suite)) return;
  prepared.add(suite);
  suite.beforeAll('note the suite', () => {
    if (stryker !== undefined) stryker.currentTestId = hooksOf(suite);
  });
  const hooks = suite as unknown as Hooks;
  hooks._beforeAll.unshift(...hooks._beforeAll.splice(-1));
  for (const runnable of [...suite.tests, ...HOOKS.flatMap((name) => hooks[name])]) runnable.timeout(LIMIT);
}

/** Adds what the `before` hooks of a suite reached to what its tests and its suites reached. */
function passOn(suite: Suite, perTest: PerTest): void {
  const reached = perTest[hooksOf(suite)];
  Reflect.deleteProperty(perTest, hooksOf(suite));
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
