const ROOMS = {
  core: {
    mutate: ['src/domain/**/*.ts', 'src/application/**/*.ts', 'src/adapters/in-memory/**/*.ts'],
    spec: ['test/domain/*.test.ts', 'test/application/*.test.ts', 'test/adapters/in-memory/in-memory-*.test.ts'],
    ignoreStatic: false,
    break: 95,
  },
  http: {
    mutate: ['src/adapters/http/**/*.ts', '!src/adapters/http/{json/compiled,operations/reference-files}/**'],
    spec: ['test/adapters/http/**/*.test.ts', 'test/http/{transports,cors}.test.ts'],
    ignoreStatic: true,
    break: 90,
  },
  bootstrap: {
    mutate: ['src/bootstrap/**/*.ts'],
    spec: ['test/bootstrap/**/*.test.ts'],
    ignoreStatic: true,
    break: 90,
  },
};

const room = process.env.MUTATION_ROOM ?? 'core';
const { mutate, spec, ignoreStatic, break: least } = ROOMS[room];

export default {
  mutate,
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    spec,
    require: ['./test/support/cleanup.ts', './test/support/mutation-coverage.ts'],
  },
  coverageAnalysis: 'perTest',
  ignoreStatic,
  incremental: true,
  incrementalFile: `.cache/mutation/${room}.json`,
  concurrency: 2,
  tempDirName: '.cache/stryker-sandbox',
  ignorePatterns: ['.cache', 'dist', 'docs', 'bench'],
  // Stryker need not rewrite a configuration of TypeScript: tsx does without.
  tsconfigFile: '.cache/no-tsconfig.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
  thresholds: { high: 98, low: least, break: least },
};
