import type { Context, RootHookObject } from 'mocha';

type End = () => unknown;

const ofTest = new Set<End>();
const ofFile = new Set<End>();
let isInTest = false;

/**
 * Has `end` called when the present test ends, whether it passes, fails or times out; or after all tests of the file if
 * no test runs, as in a `before`. It is not called if the returned function was called earlier.
 *
 * Everything in `test/support` that starts a process, a server, a connection or a load registers itself here, so a test
 * need not end what it started.
 */
export function endWithTest(end: End): () => void {
  const owner = isInTest ? ofTest : ofFile;
  owner.add(end);
  return () => void owner.delete(end);
}

/** As {@link endWithTest}, but always after all tests of the file; in a run in one process, after all tests. */
export function endWithFile(end: End): () => void {
  ofFile.add(end);
  return () => void ofFile.delete(end);
}

async function endAll(owner: Set<End>): Promise<void> {
  const ends = [...owner].reverse();
  owner.clear();
  const results = await Promise.allSettled(ends.map(async (end) => end()));
  const errors = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
  if (errors.length > 0) throw new AggregateError(errors, 'what the test started could not be ended');
}

/** Mocha's root hooks, which `.mocharc.json` has loaded before the tests. */
export const mochaHooks: RootHookObject = {
  beforeEach() {
    isInTest = true;
  },
  async afterEach(this: Context) {
    this.timeout(30_000);
    isInTest = false;
    await endAll(ofTest);
  },
  async afterAll(this: Context) {
    this.timeout(30_000);
    await endAll(ofFile);
  },
};
