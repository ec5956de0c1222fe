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

/**
 * Files that wait rather than compute: for deadlines, for drains, and for a database or a network that fails and comes back. They
 * run beside the others, longest first.
 */
const WAITING = [
  'test/service/database-faults.test.ts',
  'test/bootstrap/mongodb-start.test.ts',
  'test/adapters/mongodb/server-faults.test.ts',
  'test/adapters/mongodb/network-faults.test.ts',
  'test/adapters/mongodb/lost-connections.test.ts',
  'test/service/keys-while-silent.test.ts',
  'test/adapters/mongodb/api-keys/slow-store-keys.test.ts',
  'test/adapters/mongodb/api-keys/silent-store-keys.test.ts',
  'test/adapters/http/server/limits.test.ts',
  'test/adapters/http/server/http-server.test.ts',
  'test/service/drain.test.ts',
  'test/adapters/mongodb/connect-mongo-client.test.ts',
  'test/bootstrap/drain.test.ts',
  'test/adapters/mongodb/deadlines.test.ts',
  'test/service/deadline.test.ts',
  'test/adapters/mongodb/step-down.test.ts',
];
/** How many of them run at once. */
const WAITING_JOBS = 3;

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
const waiting = files.filter(isAmong(WAITING));
const others = files.filter((file) => !isOfNewerNode(file) && !waiting.includes(file));
await withFixtures(async () => {
  await Promise.all([
    runTests('The tests that wait', waiting, { jobs: WAITING_JOBS }),
    runTests('The other tests', others),
  ]);
  if (onSqlite.length > 0) {
    await runTests('The tests on SQLite', onSqlite, { node: join(folderOfNode('22'), 'node') });
  }
});
report();
