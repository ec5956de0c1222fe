import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { ROOT } from './child.js';
import { CLI_VARIABLE, TARBALL_VARIABLE } from './command.js';

const run = promisify(execFile);

/** A statement by which packages of CommonJS in the bundle of an ES module ask for Node's own modules. */
const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

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
 * The packages of many files that the command loads. Node takes a third of each start to load so many, and tests start it hundreds
 * of times. The tests of the packed package start it with the packages as they are.
 */
const OF_MANY_FILES = ['@koa/router', 'inversify', 'koa', 'mongodb'];

/** Gives a package its dependencies: links to those of this repository, and those of many files as copies in one file. */
async function linkDependencies(folder: string): Promise<void> {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
    readonly peerDependencies: object;
  };
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const link = join(folder, 'node_modules', name);
    await mkdir(dirname(link), { recursive: true });
    if (OF_MANY_FILES.includes(name)) await copyInOneFile(name, folder);
    else await symlink(join(ROOT, 'node_modules', name), link);
  }
}

/** Copies a package into `node_modules` of a folder, as an ES module in one file. */
export async function copyInOneFile(name: string, folder: string): Promise<void> {
  const copy = join(folder, 'node_modules', name);
  // A package in CommonJS says its names only when it runs. Newer versions of Node add a name of their own.
  const names = Object.keys((await import(name)) as object).filter((each) => each !== 'module.exports');
  await build({
    stdin: { contents: `export { ${names.join()} } from '${name}';`, resolveDir: ROOT },
    outfile: join(copy, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['reflect-metadata'],
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
  const { version } = JSON.parse(await readFile(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  await writeFile(join(copy, 'package.json'), JSON.stringify({ name, version, type: 'module', exports: './index.js' }));
}
