/**
 * Mutation tests, a run for each room of `src`, by `npm run test:mutation` (`scripts/test-mutation.js`). `MUTATION_ROOM`
 * names the room. Stryker copies this folder, puts all mutants into the copy, and loads the tests once; then each mutant is
 * turned on for the tests that reach it, until one fails. So the quickest files come first in `tests`.
 */
export const ROOMS = {
  core: {
    mutate: ['src/domain/**/*.ts', 'src/application/**/*.ts', 'src/adapters/in-memory/**/*.ts'],
    tests: ['test/domain/**/*.test.ts', 'test/application/*.test.ts', 'test/adapters/in-memory/in-memory-*.test.ts'],
    ignoreStatic: false,
    leastScore: 95,
  },
  http: {
    mutate: ['src/adapters/http/**/*.ts', '!src/adapters/http/{json/compiled,operations/reference-files}/**'],
    tests: [
      'test/adapters/http/{fetch,guards,json,koa,operations}/*.test.ts',
      'test/adapters/http/*.test.ts',
      'test/http/{transports,cors}.test.ts',
      'test/adapters/http/{node,server}/*.test.ts',
    ],
    // These wait for 3 to 11 seconds.
    leftOut: ['default time-out', 'passed twice', 'reads slowly', 'do not count what clients have read'],
    ignoreStatic: true,
    leastScore: 90,
  },
  bootstrap: {
    mutate: ['src/bootstrap/**/*.ts'],
    // Without those that load a server, or wait for a database that is gone.
    tests: [
      'test/bootstrap/*/{duration,http-m,keys-output,log-output,rate,server-config,store-meter,value}*.test.ts',
      'test/bootstrap/settings/base-url.test.ts',
      'test/bootstrap/registered-keys.test.ts',
      'test/bootstrap/settings/*.test.ts',
      'test/bootstrap/commands/*.test.ts',
      'test/bootstrap/metrics/*.test.ts',
      'test/bootstrap/log/*.test.ts',
      'test/bootstrap/modules/*.test.ts',
      'test/bootstrap/{refusals,storage-lifecycle,server,drain}.test.ts',
      'test/service/{migrate,refusals}.test.ts',
    ],
    // On a full disk, a process cannot note the mutants that it reaches.
    leftOut: ['disk that was full'],
    ignoreStatic: true,
    leastScore: 90,
  },
  // These have no least score yet.
  mongodb: {
    mutate: ['src/adapters/mongodb/**/*.ts'],
    // Without those that wait for a database that is silent or gone.
    tests: [
      'test/adapters/mongodb/pets/{find,foreign,mongo,pet-}*.test.ts',
      'test/adapters/mongodb/api-keys/{api-key-look-ups,mongo-*,verified-*}.test.ts',
      'test/adapters/mongodb/{cancellation,deadline,deletions,indexes,mongodb-client,observer,options,sharding,validators}.test.ts',
    ],
    ignoreStatic: true,
    leastScore: null,
  },
  remote: {
    mutate: ['src/adapters/remote/**/*.ts', 'src/json/**/*.ts'],
    tests: [
      'test/json/*.test.ts',
      'test/adapters/remote/{abandoned,invalid,link,options,pauses,redirects,retries,network}*.test.ts',
      'test/adapters/remote/remote-pet-catalogue.test.ts',
    ],
    ignoreStatic: true,
    leastScore: null,
  },
};

const room = process.env.MUTATION_ROOM ?? 'core';
const { mutate, tests, leftOut, ignoreStatic, leastScore } = ROOMS[room];

export default {
  mutate,
  // The command that tests start, because a bundle of it starts in half the time.
  buildCommand:
    'esbuild src/bootstrap/cli.ts --bundle --splitting --packages=external --platform=node --format=esm --outdir=dist/src/bootstrap --log-level=error',
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    spec: tests,
    require: ['./test/support/cleanup.ts', './test/support/mutation-coverage.ts'],
    ...(leftOut && { grep: `^(?!.*(${leftOut.join('|')}))` }),
  },
  coverageAnalysis: 'perTest',
  dryRunTimeoutMinutes: 30,
  // A mutant that is evaluated when its module is loaded needs a process of its own, and all tests: in the core that takes
  // 2 s, elsewhere minutes. So outside the core, mutants that only the loading reaches are neither tried nor counted, for
  // example those in tables of operations. Those that a process of the command loads are tried.
  ignoreStatic,
  incremental: true,
  incrementalFile: `.cache/mutation/${room}.json`,
  concurrency: 2,
  tempDirName: '.cache/stryker-sandbox',
  // Tests that have a database to themselves start it from `.cache/mongo-java-server-…`, so that is copied.
  ignorePatterns: ['.cache/[!m]*', '.cache/mutation', 'dist', 'bench', 'site'],
  // Stryker need not rewrite a configuration of TypeScript: tsx does without.
  tsconfigFile: '.cache/no-tsconfig.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
  thresholds: { high: 98, low: leastScore ?? 90, break: leastScore },
};
