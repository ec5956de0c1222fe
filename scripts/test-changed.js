/**
 * Runs the tests that cover what has changed since the branch left main, also what is not committed: `npm run test:changed`. They
 * are the tests that import a changed file, by way of helpers of tests or not; those in the folder of `test` that mirrors the
 * folder of a changed source; and those that {@link ROOMS} names. Ends as `test.js` does.
 *
 * Arguments: the changed files; by default those that Git names.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { isAmong, report, runTests, testFilesIn, withFixtures } from './test-run.js';
import { TOOLS } from './tests-apart.js';

/** What a change in a folder is tested by besides. */
const ROOMS = {
  'src/domain/': ['test/domain', 'test/application', 'test/adapters/in-memory', 'test/broken-adapters'],
  'src/application/': ['test/application', 'test/adapters/in-memory'],
  'src/adapters/http/': ['test/http/meaning.test.ts', 'test/http/transports.test.ts'],
  'src/adapters/mongodb/': ['test/http/mongodb.test.ts'],
  'src/adapters/remote/': ['test/http/remote.test.ts'],
  'src/adapters/sqlite/': ['test/http/sqlite.test.ts'],
  'src/': ['test/architecture'],
  'deploy/': ['test/deploy'],
  'docs/': ['test/package/documents.test.ts', 'test/deploy/documents.test.ts'],
  'examples/': ['test/package/examples.test.ts'],
};
/** With more files than this, it pays to pack the package and to start a MongoDB server once for all of them. */
const FEW = 8;

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}

/** The files that have changed since the branch left main, and those that Git does not know yet. */
function changedFiles() {
  const [base] = git('merge-base', 'HEAD', 'main');
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** By file, the files below `src` and `test` that import it. */
async function importersOf(tests) {
  const options = { bundle: true, write: false, metafile: true, packages: 'external', platform: 'node', format: 'esm' };
  const { metafile } = await build({ ...options, entryPoints: tests, outdir: '.', logLevel: 'silent' });
  const importers = new Map();
  for (const [file, { imports }] of Object.entries(metafile.inputs)) {
    for (const { path } of imports) importers.set(path, [...(importers.get(path) ?? []), file]);
  }
  return importers;
}

const tests = testFilesIn('test').filter((file) => !isAmong(TOOLS)(file));
const importers = await importersOf(tests);
const found = new Set();

/** Adds the tests that import a file, by way of files below `test` or not. */
function addImporters(file, seen = new Set()) {
  if (seen.has(file)) return;
  seen.add(file);
  if (tests.includes(file)) found.add(file);
  for (const importer of importers.get(file) ?? []) if (importer.startsWith('test/')) addImporters(importer, seen);
}

const changed = process.argv.length > 2 ? process.argv.slice(2) : changedFiles();
for (const file of changed) {
  addImporters(file);
  const mirror = dirname(file.replace(/^src\//, 'test/'));
  if (file.startsWith('src/')) for (const test of tests) if (dirname(test) === mirror) found.add(test);
  const rooms = Object.entries(ROOMS).filter(([folder]) => file.startsWith(folder));
  for (const path of rooms.flatMap(([, paths]) => paths)) {
    for (const test of tests) if (isAmong([path])(test)) found.add(test);
  }
}
const files = [...found].filter((file) => existsSync(join('.', file))).sort();
console.log(files.length === 0 ? 'No test covers what has changed.' : `Runs\n  ${files.join('\n  ')}`);
const runAll = async () => runTests('The tests of what has changed', files);
await (files.length > FEW ? withFixtures(runAll) : runAll());
report();
