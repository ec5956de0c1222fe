/** The files of these names. Mocha takes braces for a pattern only beside a `*`. */
const files = (folder, ...names) => names.map((name) => `${folder}/${name}.test.ts`);

/** What tests are named that wait for 3 to 11 seconds. */
const LONG_WAITS = ['default time-out', 'passed twice', 'reads slowly'];

/**
 * Mutation tests, a run for each room of `src`, by `npm run test:mutation` (`scripts/test-mutation.js`). `MUTATION_ROOM`
 * names the room. Stryker copies this folder, puts all mutants into the copy, and loads the tests once; then each mutant is
 * turned on for the tests that reach it, until one fails. So the quickest files come first in `tests`.
 */
export const ROOMS = {
  core: {
    mutate: ['src/domain/**/*.ts', 'src/application/**/*.ts', 'src/adapters/in-memory/**/*.ts'],
    tests: ['test/domain/**/*.test.ts', 'test/application/**/*.test.ts', 'test/adapters/in-memory/in-memory-*.test.ts'],
    ignoreStatic: false,
    leastScore: 95,
  },
  http: {
    mutate: ['src/adapters/http/**/*.ts', '!src/adapters/http/{json/compiled,reference/files,server}/**'],
    tests: [
      'test/adapters/http/{fetch,guards,json,koa,operations,reference}/*.test.ts',
      'test/adapters/http/*.test.ts',
      ...files('test/http', 'meaning', 'transports', 'cors'),
      'test/adapters/http/{node,server}/*.test.ts',
    ],
    leftOut: LONG_WAITS,
    ignoreStatic: true,
    leastScore: 90,
  },
  // Most of its tests wait rather than compute, so give it more processes: `npm run test:mutation -- server --concurrency 8`.
  server: {
    mutate: ['src/adapters/http/server/**/*.ts'],
    tests: ['test/adapters/http/{server,node}/*.test.ts', ...files('test/http', 'transports')],
    // Of the HTTP suite, the run on Node is enough.
    leftOut: [...LONG_WAITS, 'HTTP by the (Koa|Fetch)'],
    ignoreStatic: true,
    leastScore: 90,
  },
  bootstrap: {
    // Without what the room of SQLite changes.
    mutate: ['src/bootstrap/**/*.ts', '!src/bootstrap/{compiled/**,commands/backup.ts,modules/sqlite-module.ts}'],
    // Without those that load a server, or wait for a database that is gone.
    tests: [
      'test/bootstrap/*/{duration,http-m,keys-output,log-output,rate,server-config,store-meter,value}*.test.ts',
      'test/bootstrap/settings/configuration.test.ts',
      ...files('test/bootstrap', 'optional-package', 'server-keys', 'storage'),
      'test/bootstrap/settings/*.test.ts',
      'test/bootstrap/commands/*.test.ts',
      'test/bootstrap/metrics/*.test.ts',
      'test/bootstrap/log/*.test.ts',
      'test/bootstrap/modules/*.test.ts',
      'test/bootstrap/files/*.test.ts',
      ...files('test/bootstrap', 'storage-lifecycle', 'server', 'refusals', 'drain'),
      ...files('test/service', 'migrate', 'moves-and-faulty-files'),
    ],
    // On a full disk, a process cannot note the mutants that it reaches. The others load a server anew, again and again.
    leftOut: ['disk that was full', 'leaves nothing open'],
    ignoreStatic: true,
    leastScore: 90,
  },
  files: {
    mutate: ['src/adapters/files/**/*.ts'],
    tests: ['test/adapters/files/*.test.ts'],
    ignoreStatic: false,
    leastScore: 90,
  },
  mongodb: {
    mutate: ['src/adapters/mongodb/**/*.ts'],
    // Without those that wait for a database that is silent or gone.
    tests: [
      'test/adapters/mongodb/pets/{foreign,mongo,pet-,round-trips,run-command}*.test.ts',
      'test/adapters/mongodb/pets/once/{add-once-model,mongo-}*.test.ts',
      'test/adapters/mongodb/schema/*.test.ts',
      'test/adapters/mongodb/api-keys/*.test.ts',
      ...files('test/adapters/mongodb', 'attempts', 'deadline', 'deadlines'),
      ...files('test/adapters/mongodb', 'connect-mongo-client', 'mongodb-client', 'mongodb-url', 'observer', 'options'),
      ...files('test/adapters/mongodb', 'faults'),
    ],
    leftOut: ['that fails while the', 'server pauses', 'each of whose answers'],
    ignoreStatic: true,
    leastScore: 90,
  },
  // On Node 22.13 or newer. Its tests import the adapter while they run, which is too late for mutants of its constants.
  sqlite: {
    needs: 'node:sqlite',
    mutate: ['src/adapters/sqlite/**/*.ts', 'src/bootstrap/modules/sqlite-module.ts'],
    tests: [
      'test/adapters/sqlite/*.test.ts',
      ...files('test', 'bootstrap/modules/sqlite-module', 'service/sqlite-service'),
    ],
    leftOut: ['often it is killed'],
    loadFirst: ['./src/adapters/sqlite/index.ts'],
    ignoreStatic: false,
    leastScore: 90,
  },
  remote: {
    mutate: ['src/adapters/remote/**/*.ts', 'src/json/**/*.ts'],
    tests: [
      'test/json/*.test.ts',
      // Without the network that loses requests at random, as each of its tests takes seconds.
      'test/adapters/remote/{abandoned,invalid,link,options,pauses,readiness,redirects,retries}*.test.ts',
      'test/adapters/remote/remote-pet-catalogue.test.ts',
    ],
    // It takes longer than it may, once each token of the text counts what it reaches.
    leftOut: ['a field of 4 MB'],
    ignoreStatic: true,
    leastScore: 90,
  },
};

const room = process.env.MUTATION_ROOM ?? 'core';
const { mutate, tests, loadFirst = [], leftOut, ignoreStatic, leastScore } = ROOMS[room];

export default {
  mutate,
  // What tests start in a process of its own, because a bundle of it starts in half the time.
  buildCommand:
    'esbuild src/bootstrap/cli.ts src/bootstrap/server.ts src/bootstrap/commands/run.ts src/bootstrap/log/log.ts --bundle --splitting --packages=external --platform=node --format=esm --outdir=dist/src/bootstrap --log-level=error',
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    spec: tests,
    require: ['./test/support/cleanup.ts', './test/support/mutation-coverage.ts', ...loadFirst],
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
  // tsx checks no types. Stryker would turn the checks off by a comment, also in a file that tests compare byte by byte.
  disableTypeChecks: false,
  // Stryker need not rewrite a configuration of TypeScript: tsx does without.
  tsconfigFile: '.cache/no-tsconfig.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
  thresholds: { high: 98, low: leastScore ?? 90, break: leastScore },
};
