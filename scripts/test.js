/**
 * Runs the tests, but for those of `tests-apart.js`: `npm test`. Files run in parallel. In CI, the tests on SQLite run on Node 22
 * if this Node is older. Ends with the skipped tests and their reasons, a line `✖ …` for each failure, and the line
 * `N passed, N failed, N skipped`. A process that dies and a run that hangs count as failed.
 *
 * Arguments: the folders or files to run; by default all but those of `tests-apart.js`.
 */
import { join } from 'node:path';
import { folderOfNode } from './node-program.js';
import { COSTS, OTHERS, SQLITE, TOOLS } from './tests-apart.js';
import { isAmong, report, runTests, testFilesIn, withFixtures } from './test-run.js';

/** Files and folders that take long, longest first, so that no long file is left over for the end. */
const LONG = [
  // These wait most of the time.
  'test/service/database-faults.test.ts',
  'test/bootstrap/mongodb-start.test.ts',
  'test/adapters/mongodb',
  'test/bootstrap/commands/keys-command.test.ts',
  'test/bootstrap/modules/custom-store.test.ts',
  'test/service',
  'test/adapters/remote',
  'test/http',
  'test/adapters/http/server',
  'test/bootstrap',
];

const chosen = process.argv.slice(2);
const isApart = isAmong([...TOOLS, ...OTHERS, ...COSTS]);
const files = chosen.length > 0 ? chosen.flatMap(testFilesIn) : testFilesIn('test').filter((file) => !isApart(file));
const rank = (file) => LONG.findIndex((path) => file.startsWith(path)) >>> 0;
files.sort((a, b) => rank(a) - rank(b));

const isOfNewerNode =
  process.env.CI === 'true' && process.getBuiltinModule('node:sqlite') === undefined ? isAmong(SQLITE) : () => false;
const onSqlite = files.filter(isOfNewerNode);
const others = files.filter((file) => !isOfNewerNode(file));
await withFixtures(async () => {
  await runTests('The tests', others);
  if (onSqlite.length > 0) {
    await runTests('The tests on SQLite', onSqlite, { node: join(folderOfNode('22'), 'node') });
  }
});
report();
