import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
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
  await linkDependencies(join(folder, 'package'));
  process.env[TARBALL_VARIABLE] = join(folder, tarball);
  process.env[CLI_VARIABLE] = join(folder, 'package/dist/src/bootstrap/cli.js');
}

/**
 * Gives a package its dependencies: links to those of this repository. Inversify alone is copied, from 250 files into one,
 * as the tests start the command hundreds of times, and Node takes a quarter of each start to load so many files.
 */
async function linkDependencies(folder: string): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { dependencies: object };
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    if (name !== 'inversify') await symlink(join(ROOT, 'node_modules', name), link);
  }
  const inversify = 'node_modules/inversify';
  await build({
    entryPoints: [join(ROOT, inversify, 'lib/index.js')],
    outfile: join(folder, inversify, 'lib/index.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['reflect-metadata'],
    logLevel: 'error',
  });
  await copyFile(join(ROOT, inversify, 'package.json'), join(folder, inversify, 'package.json'));
}
