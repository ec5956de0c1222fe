/**
 * Runs the tests, but for those of `tests-apart.js`: `npm test`. Files run in parallel. In CI, the tests on SQLite run on Node 22
 * if this Node is older. Ends with the skipped tests and their reasons, a line `✖ …` for each failure, and the line
 * `N passed, N failed, N skipped`. A process that dies and a run that hangs count as failed.
 *
 * Arguments: the folders or files to run; by default all but those of `tests-apart.js`.
 */
import { join } from 'node:path';
import { folderOfNode } from './node-program.js';
import { COSTS, OTHERS, SQLITE, TOOLS, WAITING } from './tests-apart.js';
import { isAmong, report, runTests, testFilesIn, withFixtures } from './test-run.js';

/** How many of the files that wait run at once. */
const WAITING_JOBS = 5;

/** Folders of which the files take longest, so that no long file is left over for the end. */
const LONG = [
  'test/bootstrap',
  'test/service',
  'test/adapters/remote',
  'test/architecture',
  'test/adapters/mongodb',
  'test/http',
];

const chosen = process.argv.slice(2);
const isApart = isAmong([...TOOLS, ...OTHERS, ...COSTS]);
const files = chosen.length > 0 ? chosen.flatMap(testFilesIn) : testFilesIn('test').filter((file) => !isApart(file));
const rank = (file) => [...WAITING, ...LONG].findIndex((path) => file.startsWith(path)) >>> 0;
files.sort((a, b) => rank(a) - rank(b));

const isOfNewerNode =
  process.env.CI === 'true' && process.getBuiltinModule('node:sqlite') === undefined ? isAmong(SQLITE) : () => false;
const onSqlite = files.filter(isOfNewerNode);
const waiting = files.filter((file) => isAmong(WAITING)(file) && !isOfNewerNode(file));
const others = files.filter((file) => !isOfNewerNode(file) && !waiting.includes(file));

/** Runs what leaves the processors idle most of the time, one after another. */
async function runBeside() {
  await runTests('The tests that wait', waiting, { jobs: WAITING_JOBS });
  if (onSqlite.length > 0) await runTests('The tests on SQLite', onSqlite, { node: join(folderOfNode('22'), 'node') });
}

await withFixtures(async () => Promise.all([runBeside(), runTests('The other tests', others)]));
report();
