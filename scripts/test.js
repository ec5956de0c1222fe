/**
 * Runs everything that `npm test` promises: `npm run check` beside the tests, whose files run in parallel; then those
 * tests that have to be alone on the machine. Ends with a line `✖ …` for each failure and the line
 * `N passed, N failed, N skipped`. A check that fails, a process that dies and a run that hangs count as failed.
 *
 * Arguments: the folders or files to run; by default all but those of `tests-apart.js`, and only then the checks.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { RUNTIMES, TOOLS } from './tests-apart.js';

/** Tests that measure time or costs; nothing may run beside them. */
const ALONE = ['test/adapters/in-memory/scale.test.ts', 'test/http/file-costs.test.ts'];
/** Files and folders that take long, longest first, so that no long file is left over for the end. */
const LONG = [
  // These wait most of the time.
  'test/service/database-faults.test.ts',
  'test/bootstrap/mongodb-start.test.ts',
  // These compute or wait for half a minute and more.
  'test/soak',
  'test/http/reference.test.ts',
  'test/http/reference-accessibility.test.ts',
  'test/http/costs.test.ts',
  'test/package/types.test.ts',
  'test/adapters/mongodb',
  'test/bootstrap/commands/keys-command.test.ts',
  'test/bootstrap/modules/custom-store.test.ts',
  'test/deploy',
  'test/service',
  'test/adapters/remote',
  'test/package',
  'test/http',
  'test/adapters/http/server',
  'test/bootstrap',
  'test/tools/schemathesis.test.ts',
];
/** After how many minutes a run counts as hanging: several times what it takes, because other work may slow it down. */
const LIMIT_MINUTES = Number(process.env.TEST_LIMIT_MINUTES ?? 30);
/** How many files run at once. Many tests wait rather than compute. */
const JOBS = Number(process.env.TEST_JOBS ?? availableParallelism() * 4);

const chosen = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
const limit = Date.now() + LIMIT_MINUTES * 60_000;
const total = { passed: 0, failed: 0, skipped: 0 };
/** A line for each failure. */
const failures = [];

/** The test files below a path, but those of packages that tests have installed there. */
function testFilesIn(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true })
    .map((file) => join(path, file))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'));
}

/** Runs a command in a process group of its own, which is killed at the limit; resolves to whether it succeeded. */
function run(name, command, args, { env, quiet = false } = {}) {
  return new Promise((done) => {
    const start = performance.now();
    const stdio = ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'];
    const child = spawn(command, args, { stdio, detached: true, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (output += text));
    const kill = () => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    };
    const hang = () => {
      console.log(`\n${name} had not ended after ${LIMIT_MINUTES} minutes`);
      kill();
    };
    const timer = setTimeout(hang, Math.max(0, limit - Date.now()));
    process.once('exit', kill);
    child.once('error', (error) => (output += `${error.message}\n`));
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      process.off('exit', kill);
      // What it started and left behind ends with it.
      kill();
      const seconds = ((performance.now() - start) / 1000).toFixed(0);
      if (quiet) console.log(`\n${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)\n${code === 0 ? '' : output}`);
      else if (code !== 0) console.log(`\n${name} ended with ${signal ?? code}`);
      done(code === 0);
    });
  });
}

/** Runs test files by Mocha and adds their counts to the total. */
async function runTests(name, files, args) {
  if (files.length === 0) return;
  const results = join(folder, `${name}.json`);
  const flags = ['--reporter', './test/support/reporter.cjs', ...args];
  const command = [process.execPath, ['node_modules/mocha/bin/mocha.js', ...flags, ...files]];
  const succeeded = await run(name, ...command, { env: { TEST_RESULTS: results } });
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [], isComplete: false, files: [] };
  try {
    counts = JSON.parse(readFileSync(results, 'utf8'));
  } catch (error) {
    console.log(`${name} ended before its first test: ${error.message}`);
  }
  for (const what of Object.keys(total)) total[what] += counts[what];
  for (const { title, file, message } of counts.failures) {
    const [firstLine] = message.split('\n');
    failures.push(`${title} (${relative('.', file ?? '')}): ${firstLine}`);
  }
  if (!counts.isComplete) {
    const missing = files.filter((file) => !counts.files.includes(resolve(file)));
    console.log(`\n${name} ended too early. These files had not ended:\n  ${missing.join('\n  ')}`);
  }
  if (!succeeded && counts.failed === 0) {
    total.failed++;
    failures.push(`${name} failed outside of a test`);
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const isAmong = (paths) => (file) => paths.some((path) => file.startsWith(path));
const isApart = isAmong([...TOOLS, ...RUNTIMES]);
const files = chosen.length > 0 ? chosen.flatMap(testFilesIn) : testFilesIn('test').filter((file) => !isApart(file));
const rank = (file) => LONG.findIndex((path) => file.startsWith(path)) >>> 0;
const together = files.filter((file) => !ALONE.includes(file)).sort((a, b) => rank(a) - rank(b));
const alone = files.filter((file) => ALONE.includes(file));

const checks = chosen.length === 0 ? run('npm run check', 'npm', ['run', '--silent', 'check'], { quiet: true }) : true;
const fixtures = together.every(isAmong(TOOLS)) ? [] : ['--require', './test/support/shared-fixtures.ts'];
const [checksPassed] = await Promise.all([
  checks,
  runTests('The tests', together, ['--parallel', '--jobs', String(JOBS), ...fixtures]),
]);
if (!checksPassed) {
  total.failed++;
  failures.push('npm run check');
}
await runTests('The tests that run alone', alone, []);

for (const failure of failures) console.log(`✖ ${failure}`);
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;
