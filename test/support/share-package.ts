import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from './child.js';
import { CLI_VARIABLE } from './command.js';
import { TARBALL_VARIABLE } from './tarball.js';

const run = promisify(execFile);

/**
 * Packs the package as npm would publish it, and unpacks it, so that every process that this one starts from now on tests
 * the command that users get. Resolves to what removes it again. Does nothing if a process before has done so.
 */
export async function sharePackage(): Promise<() => Promise<void>> {
  if (process.env[TARBALL_VARIABLE] !== undefined) return async () => undefined;
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-package-'));
  const remove = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    Object.assign(process.env, await packInto(folder));
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** Packs the package into an empty folder, and unpacks it there. Resolves to the variables that have tests use it. */
export async function packInto(folder: string): Promise<Readonly<Record<string, string>>> {
  await run('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  const [tarball = ''] = await readdir(folder);
  await run('tar', ['-xzf', tarball], { cwd: folder });
  await linkDependencies(join(folder, 'package'));
  return {
    [TARBALL_VARIABLE]: join(folder, tarball),
    [CLI_VARIABLE]: join(folder, 'package/dist/src/bootstrap/cli.js'),
  };
}

/**
 * Gives a package its dependencies: links to those of this repository. Inversify alone is copied, from 250 files into one,
 * as the tests start the command hundreds of times, and Node takes a quarter of each start to load so many files.
 */
async function linkDependencies(folder: string): Promise<void> {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
    readonly peerDependencies: object;
  };
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    if (name !== 'inversify') await symlink(join(ROOT, 'node_modules', name), link);
  }
  await copyInversify(folder);
}

/** Copies Inversify into `node_modules` of a folder, as one file. */
export async function copyInversify(folder: string): Promise<void> {
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
