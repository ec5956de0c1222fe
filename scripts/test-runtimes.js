/**
 * Runs, on each version of Node that users run besides the one of this machine, the tests that a version of Node can break; and
 * on this one the tests with other runtimes, of what is built from a clone, and with programs that the package runs in. One
 * version after another; beside them the tests with other programs, and the files that wait. Ends as `test.js` does.
 *
 * Arguments: the major versions to run on, `current` for the Node that runs this, and `others` for the tests with other
 * programs; `others` and all majors by default.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { folderOfNode } from './node-program.js';
import { isAmong, report, runTests, testFilesIn, withFixtures } from './test-run.js';
import {
  OF_EACH_NODE,
  OF_NEWEST_NODE,
  OF_OLDER_NODES,
  OTHERS,
  OTHERS_WITH_SQLITE,
  SQLITE,
  WAITING,
} from './tests-apart.js';

/** What the tests install beside the package: here, so that no two files do so at once. */
const INSTALLED = ['examples/frameworks', 'examples/tracing', 'test/package/tools'];
/** The versions of Node that users run, the oldest first and the newest last. In CI, `npm test` runs the tests on SQLite on the first one. */
const MAJORS = ['22', '24', '26'];

function pathsOf(major) {
  if (major === MAJORS.at(-1) || major === 'current') return [...OF_EACH_NODE, ...SQLITE, ...OF_NEWEST_NODE];
  return major === MAJORS[0] && process.env.CI !== 'true' ? [...OF_OLDER_NODES, ...SQLITE] : OF_OLDER_NODES;
}

function runsOf(argument) {
  if (argument === 'others') {
    const name = 'Other programs';
    const files = [...new Set(OTHERS.flatMap(testFilesIn))];
    if (process.getBuiltinModule('node:sqlite') !== undefined) return [{ name, files }];
    const needsSqlite = isAmong(OTHERS_WITH_SQLITE);
    return [
      { name, files: files.filter((file) => !needsSqlite(file)) },
      { name: `${name} on Node 22`, files: files.filter(needsSqlite), node: join(folderOfNode('22'), 'node') },
    ];
  }
  const node = join(folderOfNode(argument), 'node');
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  return [{ name: `Node ${version}`, files: pathsOf(argument).flatMap(testFilesIn), node }];
}

/** Runs the files that pass a filter, one run after another. */
async function runInTurn(runs, filter) {
  for (const { name, files, node } of runs) await runTests(name, files.filter(filter), { node, isNamed: true });
}

const { installPackages } = await tsImport('../test/support/install-packages.ts', import.meta.url);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : ['others', ...MAJORS];
const ofOthers = chosen.filter((argument) => argument === 'others').flatMap(runsOf);
const ofVersions = chosen.filter((argument) => argument !== 'others').flatMap(runsOf);
const isWaiting = isAmong(WAITING);

async function runOthers() {
  if (ofOthers.length > 0) for (const folder of INSTALLED) await installPackages(folder);
  await runInTurn(ofOthers, (file) => !isWaiting(file));
}

await withFixtures(async () =>
  Promise.all([
    runOthers(),
    runInTurn(ofVersions, (file) => !isWaiting(file)),
    runInTurn([...ofOthers, ...ofVersions], isWaiting),
  ]),
);
report();
