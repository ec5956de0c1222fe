import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ROOT } from './child.js';
import { CLI_VARIABLE } from './command.js';
import { shareServer } from './mongodb-server.js';
import { TARBALL_VARIABLE } from './tarball.js';

const run = promisify(execFile);
const ends: (() => Promise<unknown>)[] = [];

/**
 * Runs once, in the main process of Mocha, before the first test. Starts the MongoDB server and makes the package that
 * the processes of Mocha share.
 */
export async function mochaGlobalSetup(): Promise<void> {
  await Promise.all([shareServer().then((end) => ends.push(end)), sharePackage()]);
}

/** Runs once after the last test. */
export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all(ends.map(async (end) => end()));
}

/** Packs the package as npm would publish it, and unpacks it, so that tests start the command that users get. */
async function sharePackage(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-package-'));
  ends.push(async () => rm(folder, { recursive: true, force: true }));
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  const [tarball = ''] = await readdir(folder);
  await run('tar', ['-xzf', tarball], { cwd: folder });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'package/node_modules'));
  process.env[TARBALL_VARIABLE] = join(folder, tarball);
  process.env[CLI_VARIABLE] = join(folder, 'package/dist/src/bootstrap/cli.js');
}
