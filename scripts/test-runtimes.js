/**
 * Runs, on each version of Node that users run besides the one of this machine, the tests that a version of Node can break; and
 * on this one the tests with other runtimes, of what is built from a clone, and with programs that the package runs in. All at
 * once. Ends with a line `✖ …` for each failure and the line `N passed, N failed, N skipped`.
 *
 * Arguments: the major versions to run on, `current` for the Node that runs this, and `others` for the tests with other
 * programs; all majors and `others` by default.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { folderOfNode } from './node-program.js';
import { RUNTIMES } from './tests-apart.js';

const OTHERS = 'others';
const DEFAULT = ['22', '24', '26', OTHERS];
const TESTS = [
  'test/domain',
  'test/application',
  // How node:test runs the contract suites.
  'test/broken-adapters/suite-under-node-test.test.ts',
  ...testFilesIn('test/adapters/in-memory'),
  'test/adapters/http',
  'test/adapters/sqlite',
  ...testFilesIn('test/adapters/remote'),
  ...testFilesIn('test/http'),
  ...testFilesIn('test/package'),
  // Node 20 has no node:sqlite.
  'test/service/sqlite-service.test.ts',
  'test/deploy/env-example.test.ts',
  'test/deploy/systemd.test.ts',
  // What Node does with a standard error stream that nobody reads.
  'test/bootstrap/log/log-destinations.test.ts',
];
/** What the tests install beside the package: here, so that no two runs do so at once. */
const INSTALLED = ['examples/frameworks', 'examples/tracing', 'test/package/tools'];

/** The test files right in a folder, but for those that show nothing of a version of Node, or run on one version only. */
function testFilesIn(folder) {
  const others = [
    // Bun, Deno and workerd.
    'runtimes.test.ts',
    // What the interface means does not depend on the store; those of SQLite and in memory run it on each version.
    'mongodb.test.ts',
    'remote.test.ts',
    // What these show depends on the sources, the compiler or the browser rather than on the version of Node.
    'browser.test.ts',
    'costs.test.ts',
    'documents.test.ts',
    'file-costs.test.ts',
    'first-command.test.ts',
    'no-code-generation.test.ts',
    'optional-packages.test.ts',
    'published.test.ts',
    'reference.test.ts',
    'reference-accessibility.test.ts',
    'scale.test.ts',
    'types.test.ts',
    // The package has its entry points imported and required by imports.test.ts; beyond them, these run other packages.
    'examples.test.ts',
    'compilers.test.ts',
    'runners.test.ts',
  ];
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts') && !others.includes(file));
  return files.map((file) => join(folder, file));
}

/** A line for each failure. */
const failures = [];

/** Runs the tests that an argument names; resolves to their counts. */
async function testOn(argument) {
  const isOthers = argument === OTHERS;
  const folder = folderOfNode(isOthers ? 'current' : argument);
  const name = isOthers ? 'Other programs' : `Node ${(await outputOf(folder, ['--version'])).output.trim()}`;
  const { output, isSuccess } = await outputOf(folder, ['scripts/test.js', ...(isOthers ? RUNTIMES : TESTS)]);
  const [line, ...counts] = /^(\d+) passed, (\d+) failed, (\d+) skipped\n$/m.exec(output) ?? [];
  const failed = isSuccess ? 0 : Math.max(1, Number(counts[1] ?? 1));
  if (failed > 0) {
    console.log(output);
    const lines = output.match(/^✖ .*$/gm) ?? ['✖ It ended early'];
    failures.push(...lines.map((failure) => `${failure} [${name}]`));
  }
  console.log(`${name}: ${line?.trim() ?? 'ended without a line of counts'}`);
  return [Number(counts[0] ?? 0), failed, Number(counts[2] ?? 0)];
}

/** Runs the `node` of a folder to its end, with that folder first on the PATH. */
function outputOf(folder, args) {
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}`, TEST_JOBS: '2' };
  return new Promise((resolve, reject) => {
    const child = spawn(join(folder, 'node'), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = () => child.kill();
    process.once('exit', kill);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('error', reject);
    child.once('close', (code) => {
      process.off('exit', kill);
      resolve({ output, isSuccess: code === 0 });
    });
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
const fixtures = await tsImport('../test/support/shared-fixtures.ts', import.meta.url);
const { installPackages } = await tsImport('../test/support/install-packages.ts', import.meta.url);
for (const folder of INSTALLED) installPackages(folder);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : DEFAULT;
// One after another, because they may have to be fetched.
for (const major of chosen) if (major !== OTHERS) folderOfNode(major);
const total = [0, 0, 0];
await fixtures.mochaGlobalSetup();
try {
  for (const counts of await Promise.all(chosen.map(testOn))) counts.forEach((count, i) => (total[i] += count));
} finally {
  await fixtures.mochaGlobalTeardown();
}
for (const failure of failures) console.log(failure);
console.log(`${total[0]} passed, ${total[1]} failed, ${total[2]} skipped`);
process.exitCode = total[1] === 0 ? 0 : 1;
