/**
 * Runs, on each version of Node that users run besides the one of this machine, the tests that a version of Node can break; and
 * on this one the tests with other runtimes, of what is built from a clone, and with programs that the package runs in. One
 * version after another. Ends as `test.js` does.
 *
 * Arguments: the major versions to run on, `current` for the Node that runs this, and `others` for the tests with other
 * programs; all majors and `others` by default.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { folderOfNode } from './node-program.js';
import { report, runTests, testFilesIn, withFixtures } from './test-run.js';
import { OF_NODE, OTHERS } from './tests-apart.js';

/** What the tests install beside the package: here, so that no two files do so at once. */
const INSTALLED = ['examples/frameworks', 'examples/tracing', 'test/package/tools'];

const { installPackages } = await tsImport('../test/support/install-packages.ts', import.meta.url);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : ['others', '22', '24', '26'];
if (chosen.includes('others')) for (const folder of INSTALLED) installPackages(folder);
await withFixtures(async () => {
  for (const argument of chosen) {
    if (argument === 'others') {
      await runTests('Other programs', OTHERS.flatMap(testFilesIn), { isNamed: true });
    } else {
      const node = join(folderOfNode(argument), 'node');
      const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
      await runTests(`Node ${version}`, OF_NODE.flatMap(testFilesIn), { node, isNamed: true });
    }
  }
});
report();
