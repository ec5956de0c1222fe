/**
 * Mutation tests: `MUTATION_ROOM=http npm run test:mutation` changes the sources of a room in many ways, one at a time, runs the
 * tests of the room, and lists the changes that no test notices.
 */
const ROOMS = {
  core: {
    mutate: ['src/{domain,application,lossless-json}/**/*.ts', 'src/adapters/{in-memory,files}/**/*.ts'],
    tests: ['test/{domain,application,lossless-json}/**/*.test.ts', 'test/adapters/{in-memory,files}/*.test.ts'],
  },
  http: {
    mutate: ['src/adapters/http/**/*.ts', '!src/adapters/http/{bodies/compiled,reference/files}/**'],
    tests: ['test/adapters/http/**/*.test.ts', 'test/http/{meaning,transports,cors}*.test.ts'],
  },
  kit: { mutate: ['src/adapters/kit/**/*.ts'], tests: ['test/adapters/kit/**/*.test.ts'] },
  mongodb: { mutate: ['src/adapters/mongodb/**/*.ts'], tests: ['test/adapters/mongodb/**/*.test.ts'] },
  remote: { mutate: ['src/adapters/remote/**/*.ts'], tests: ['test/adapters/remote/**/*.test.ts'] },
  /** On Node 22.13 or newer. */
  sqlite: { mutate: ['src/adapters/sqlite/**/*.ts'], tests: ['test/adapters/sqlite/**/*.test.ts'] },
  bootstrap: {
    mutate: ['src/bootstrap/**/*.ts', '!src/bootstrap/compiled/**'],
    tests: ['test/bootstrap/**/*.test.ts'],
  },
};

const { mutate, tests } = ROOMS[process.env.MUTATION_ROOM ?? 'core'];

export default {
  mutate,
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    spec: tests,
    require: ['./test/support/cleanup.ts'],
  },
  coverageAnalysis: 'perTest',
  dryRunTimeoutMinutes: 30,
  // A mutant that is evaluated when its module is loaded needs a process of its own, and all tests of the room.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `.cache/mutation/${process.env.MUTATION_ROOM ?? 'core'}.json`,
  concurrency: 2,
  tempDirName: '.cache/stryker-sandbox',
  ignorePatterns: ['.cache/[!m]*', '.cache/mutation', 'dist', 'bench', 'site'],
  // tsx checks no types.
  disableTypeChecks: false,
  tsconfigFile: '.cache/no-tsconfig.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
};
