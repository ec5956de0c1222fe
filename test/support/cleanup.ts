import type { Context, RootHookObject } from 'mocha';

type End = () => unknown;

interface State {
  readonly ofTest: Set<End>;
  readonly ofFile: Set<End>;
  isInTest: boolean;
}

/** Global, because Mocha may load this module twice: once by `require` and once by `import`. */
const state: State = ((globalThis as { animalStoreTestCleanup?: State }).animalStoreTestCleanup ??= {
  ofTest: new Set(),
  ofFile: new Set(),
  isInTest: false,
});

/**
 * Has `end` called when the present test ends, whether it passes, fails or times out; or after all tests of the file if
 * no test runs, as in a `before`. It is not called if the returned function was called earlier.
 *
 * Everything in `test/support` that starts a process, a server, a connection or a load registers itself here, so a test
 * need not end what it started.
 */
export function endWithTest(end: End): () => void {
  const owner = state.isInTest ? state.ofTest : state.ofFile;
  owner.add(end);
  return () => void owner.delete(end);
}

/** As {@link endWithTest}, but always after all tests of the file; in a run in one process, after all tests. */
export function endWithFile(end: End): () => void {
  state.ofFile.add(end);
  return () => void state.ofFile.delete(end);
}

/** Ends everything, the newest first: a client before its server. */
async function endAll(owner: Set<End>): Promise<void> {
  const errors: unknown[] = [];
  for (const end of [...owner].reverse()) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  owner.clear();
  if (errors.length > 0) throw new AggregateError(errors, 'what the test started could not be ended');
}

/** How long that may take, in milliseconds: a busy disk takes long to remove what a test has installed. */
const LIMIT_MS = 300_000;

/** Mocha's root hooks, which `.mocharc.json` has loaded before the tests. */
export const mochaHooks: RootHookObject = {
  beforeEach() {
    state.isInTest = true;
  },
  async afterEach(this: Context) {
    this.timeout(LIMIT_MS);
    state.isInTest = false;
    await endAll(state.ofTest);
  },
  async afterAll(this: Context) {
    this.timeout(LIMIT_MS);
    await endAll(state.ofFile);
  },
};
