const TESTS = ['test/domain/*.test', 'test/application/*.test', 'test/adapters/in-memory/in-memory-*.test'];
const BUNDLE =
  '--bundle --packages=external --platform=node --format=esm --outdir=test --outbase=test --log-level=error';

/**
 * Mutation tests of the core: `npm run test:mutation`. In a copy of this folder, each file of tests is bundled once beside
 * itself, with all mutants inside, so that a run of them takes less than a second.
 */
export default {
  mutate: ['src/domain/**/*.ts', 'src/application/**/*.ts', 'src/adapters/in-memory/**/*.ts'],
  buildCommand: `esbuild ${TESTS.map((tests) => `${tests}.ts`).join(' ')} ${BUNDLE}`,
  testRunner: 'command',
  commandRunner: {
    command: `node --import tsx node_modules/mocha/bin/mocha.js --no-config --timeout 60000 --bail --reporter dot ${TESTS.map((tests) => `"${tests}.js"`).join(' ')}`,
  },
  concurrency: 2,
  tempDirName: '.cache/stryker-sandbox',
  ignorePatterns: ['.cache', 'dist', 'docs', 'bench'],
  // Stryker need not rewrite a configuration of TypeScript: esbuild does without.
  tsconfigFile: '.cache/no-tsconfig.json',
  reporters: ['clear-text', 'progress-append-only'],
  clearTextReporter: { allowColor: false, logTests: false, skipFull: true },
  thresholds: { high: 98, low: 95, break: 95 },
};
