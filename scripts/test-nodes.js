/**
 * Runs the unit tests, the HTTP tests without a database, and the tests of the package on each version of Node that users
 * run besides the one of this machine. Ends with the line `N passed, N failed, N skipped`.
 *
 * Arguments: the major versions to run on, or `current` for the Node that runs this; all majors by default.
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { folderOfNode } from './node-program.js';

const MAJORS = ['22', '24', '26'];
const TESTS = [
  'test/domain',
  'test/application',
  'test/broken-adapters',
  'test/adapters/in-memory',
  'test/adapters/http',
  'test/http/in-memory.test.ts',
  'test/http/raw-faults.test.ts',
  'test/http/cors.test.ts',
  'test/bootstrap/log-destinations.test.ts',
  'test/package/imports.test.ts',
  'test/package/examples.test.ts',
];
/** Runs the tests on one version; resolves to its counts. */
function testOn(major) {
  const folder = folderOfNode(major);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const args = ['scripts/test.js', ...TESTS];
  const { stdout, stderr, status } = spawnSync(join(folder, 'node'), args, {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const [line, ...counts] = /^(\d+) passed, (\d+) failed, (\d+) skipped\n$/m.exec(stdout) ?? [];
  const failed = status === 0 ? 0 : Math.max(1, Number(counts[1] ?? 1));
  if (failed > 0) console.log(stdout, stderr);
  const { stdout: version } = spawnSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' });
  console.log(`Node ${version.trim()}: ${line?.trim() ?? 'ended without a line of counts'}`);
  return [Number(counts[0] ?? 0), failed, Number(counts[2] ?? 0)];
}

const total = [0, 0, 0];
for (const major of process.argv.length > 2 ? process.argv.slice(2) : MAJORS) {
  for (const [i, count] of testOn(major).entries()) total[i] += count;
}
console.log(`${total[0]} passed, ${total[1]} failed, ${total[2]} skipped`);
process.exitCode = total[1] === 0 ? 0 : 1;
