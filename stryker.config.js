export const ROOMS = {
  core: {
    mutate: ['src/domain/**/*.ts', 'src/application/**/*.ts', 'src/adapters/in-memory/**/*.ts'],
    spec: ['test/domain/**/*.test.ts', 'test/application/*.test.ts', 'test/adapters/in-memory/in-memory-*.test.ts'],
    ignoreStatic: false,
    break: 95,
  },
  http: {
    mutate: ['src/adapters/http/**/*.ts', '!src/adapters/http/{json/compiled,operations/reference-files}/**'],
    spec: [
      'test/adapters/http/{fetch,guards,json,koa,operations}/*.test.ts',
      'test/adapters/http/*.test.ts',
      'test/http/{transports,cors}.test.ts',
      'test/adapters/http/{node,server}/*.test.ts',
    ],
    grep: '^(?!.*(default time-out|passed twice|reads slowly|do not count what clients have read))',
    ignoreStatic: true,
    break: 90,
  },
  bootstrap: {
    mutate: ['src/bootstrap/**/*.ts'],
    spec: [
      'test/bootstrap/*/{duration,http-meter,base-url,log-output,rate}*.test.ts',
      'test/bootstrap/registered-keys.test.ts',
      'test/bootstrap/settings/*.test.ts',
      'test/bootstrap/commands/*.test.ts',
      'test/bootstrap/metrics/*.test.ts',
      'test/bootstrap/log/*.test.ts',
      'test/bootstrap/modules/*.test.ts',
      'test/bootstrap/{refusals,storage-lifecycle,server}.test.ts',
    ],
    grep: '^(?!.*disk that was full)',
    ignoreStatic: true,
    break: 90,
  },
};

const room = process.env.MUTATION_ROOM ?? 'core';
const { mutate, spec, grep, ignoreStatic, break: least } = ROOMS[room];

export default {
  mutate,
  buildCommand:
    'esbuild src/bootstrap/cli.ts --bundle --splitting --packages=external --platform=node --format=esm --outdir=dist/src/bootstrap --log-level=error',
  plugins: ['@stryker-mutator/mocha-runner'],
  testRunner: 'mocha',
  testRunnerNodeArgs: ['--import', 'tsx'],
  mochaOptions: {
    'no-config': true,
    'no-package': true,
    spec,
    ...(grep && { grep }),
    require: ['./test/support/cleanup.ts', './test/support/mutation-coverage.ts'],
  },
  coverageAnalysis: 'perTest',
  ignoreStatic,
  incremental: true,
  incrementalFile: `.cache/mutation/${room}.json`,
  concurrency: 2,
  tempDirName: '.cache/stryker-sandbox',
  ignorePatterns: ['.cache', 'dist', 'bench', 'site'],
  // Stryker need not rewrite a configuration of TypeScript: tsx does without.
  tsconfigFile: '.cache/no-tsconfig.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
  thresholds: { high: 98, low: least, break: least },
};
