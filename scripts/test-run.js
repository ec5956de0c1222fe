/**
 * Runs test files by Mocha, in processes of their own that end with the run, and adds up their counts. The scripts that run
 * tests share it: `test.js`, `test-runtimes.js`, `test-tools.js` and `test-costs.js`.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { tsImport } from 'tsx/esm/api';

/** After how many minutes a run counts as hanging: several times what it takes, because other work may slow it down. */
const LIMIT_MINUTES = Number(process.env.TEST_LIMIT_MINUTES ?? 30);
/**
 * How many files run at once. Some of them wait rather than compute, so it is two more than the machine has processors; with
 * many more, tests that start processes wait for each other beyond their deadlines.
 */
const JOBS = Number(process.env.TEST_JOBS ?? availableParallelism() + 2);

const folder = mkdtempSync(join(tmpdir(), 'animal-store-test-'));
const limit = Date.now() + LIMIT_MINUTES * 60_000;
const total = { passed: 0, failed: 0, skipped: 0 };
/** A line for each failure. */
const failures = [];
/** The titles of the tests that were skipped, by the reason. */
const skips = new Map();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The test files below a path, but those of packages that tests have installed there. */
export function testFilesIn(path) {
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true })
    .map((file) => join(path, file))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules/'));
}

/** Makes what tells whether a file is one of these, or in one of these folders. */
export function isAmong(paths) {
  return (file) => paths.some((path) => file === path || file.startsWith(path.endsWith('/') ? path : `${path}/`));
}

/** Has all tests that `run` runs share a MongoDB server and the packed package. */
export async function withFixtures(run) {
  const { setUp, tearDown } = await tsImport('../test/support/shared-fixtures.ts', import.meta.url);
  await setUp();
  try {
    await run();
  } finally {
    await tearDown();
  }
}

/**
 * Runs test files, and adds their counts to the total.
 *
 * @param name What the run is called in messages, and in the lines of its failures if `isNamed`.
 * @param node The Node to run them on; its folder comes first on the PATH of the tests.
 * @param alone Whether the files run one after another, with nothing beside them.
 * @param jobs How many files run at once, if not alone.
 */
export async function runTests(
  name,
  files,
  { node = process.execPath, alone = false, isNamed = false, jobs = JOBS } = {},
) {
  if (files.length === 0) return;
  const start = performance.now();
  const results = join(folder, `${Math.random()}.json`);
  const reasons = `${results}.skips`;
  appendFileSync(reasons, '');
  const flags = ['--reporter', './test/support/reporter.cjs'];
  // With one job, Mocha's parallel mode would load the files by require.
  if (!alone && jobs > 1) flags.push('--parallel', '--jobs', String(jobs));
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH}`;
  const ended = await run(name, node, ['node_modules/mocha/bin/mocha.js', ...flags, ...files], {
    ...process.env,
    PATH,
    TEST_RESULTS: results,
    TEST_SKIPS: reasons,
  });
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [], skips: [], isComplete: false, files: [] };
  try {
    counts = JSON.parse(readFileSync(results, 'utf8'));
  } catch (error) {
    console.log(`${name} ended before its first test: ${error.message}`);
  }
  for (const what of Object.keys(total)) total[what] += counts[what];
  const suffix = isNamed ? ` [${name}]` : '';
  for (const { title, file, message } of counts.failures) {
    const [firstLine] = message.split('\n');
    failures.push(`${title} (${relative('.', file ?? '')}): ${firstLine}${suffix}`);
  }
  addSkips(counts.skips, readFileSync(reasons, 'utf8'), suffix);
  if (!counts.isComplete) {
    const missing = files.filter((file) => !counts.files.includes(resolve(file)));
    console.log(`\n${name} ended too early. These files had not ended:\n  ${missing.join('\n  ')}`);
  }
  if (!ended && counts.failed === 0) {
    total.failed++;
    failures.push(`${name} failed outside of a test`);
  }
  const { passed, failed, skipped } = counts;
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`\n${name}: ${passed} passed, ${failed} failed, ${skipped} skipped in ${seconds} s\n`);
}

/** Sorts the titles of skipped tests by the reasons that `skip` of `test/support/skip.ts` has noted, each for a test or a suite. */
function addSkips(titles, noted, suffix) {
  const reasons = noted
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const title of titles) {
    const { reason = 'no reason is given' } = reasons.find((each) => title.startsWith(each.title)) ?? {};
    skips.set(reason, [...(skips.get(reason) ?? []), title + suffix]);
  }
}

/** Runs a program in a process group of its own, which is killed at the limit; resolves to whether it succeeded. */
function run(name, program, args, env) {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], detached: true, env });
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
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      process.off('exit', kill);
      // What it started and left behind ends with it.
      kill();
      if (code !== 0) console.log(`\n${name} ended with ${signal ?? code}`);
      done(code === 0);
    });
  });
}

/**
 * Prints the tests that were skipped with their reasons, a line `✖ …` for each failure, and the line of counts; sets the exit code.
 * Writes these lines also to the file that `TEST_REPORT` names.
 */
export function report() {
  for (const [reason, titles] of skips) {
    console.log(`Skipped: ${reason}`);
    for (const title of titles) console.log(`  - ${title}`);
  }
  const counts = `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`;
  const lines = [...failures.map((failure) => `✖ ${failure}`), counts].join('\n');
  console.log(lines);
  if (process.env.TEST_REPORT !== undefined) appendFileSync(process.env.TEST_REPORT, `${lines}\n`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}
