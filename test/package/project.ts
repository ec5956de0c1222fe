import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Child, ROOT, type ChildOptions } from '../support/child.js';
import { endWithFile } from '../support/cleanup.js';
import { listening, TARBALL_VARIABLE } from '../support/command.js';
import { request } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';

export { ROOT };

export const { folderOfNode } = (await import(join(ROOT, 'scripts/node-program.js'))) as {
  /** The folder of the program `node` of a major version, or of the Node that runs this for `current`. */
  readonly folderOfNode: (version: string) => string;
};

/** The contents of the package's package.json. */
export const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly engines: { readonly node: string };
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
};

/** The command of the package, in a project. */
export const CLI = join('node_modules/animal-store', MANIFEST.bin['animal-store'] ?? '');

/** The oldest version in a range of {@link MANIFEST.peerDependencies}. */
export function oldestOf(range: string): string {
  const [, version] = /^>=(\d+\.\d+\.\d+) <\d+$/.exec(range) ?? [];
  if (version === undefined) throw new Error(`${range} has another form`);
  return version;
}

/** Every entry point of the package, by its full name. */
export const ENTRIES = Object.keys(MANIFEST.exports)
  .filter((path) => path !== './package.json')
  .map((path) => path.replace('.', 'animal-store'));

/** The folder whose packages are the tools of others that tests use this package with. `installPackages` installs them. */
export const TOOLS = 'test/package/tools';

/** How a command ended, and what it printed. */
export interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end, without the environment variables that the test runner has set. */
export function run(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Outcome {
  const {
    NODE_OPTIONS: _options,
    NODE_TEST_CONTEXT: _context,
    NODE_V8_COVERAGE: _coverage,
    ...inherited
  } = process.env;
  return spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...inherited, ...env }, timeout: 300_000 });
}

/** Runs a command that must succeed, and returns its output. */
export function succeed(cwd: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { status, stdout, stderr } = run(cwd, command, args, env);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** How many tests pass under `node:test` in a project, by these arguments of Node. Throws if one fails. */
export function passedTests(project: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): number {
  const tap = succeed(project, process.execPath, ['--test-reporter=tap', ...args], env);
  return Number(/^# pass (\d+)$/m.exec(tap)?.[1]);
}

/** Starts `serve` of the package in a project on a free port, and resolves to what lists the animals with a key. */
export async function serveIn(
  project: string,
  args: readonly string[] = [],
  options: ChildOptions & { readonly node?: string } = {},
) {
  const { node = process.execPath, ...others } = options;
  const server = Child.start(node, [CLI, 'serve', '--port', '0', ...args], { cwd: project, ...others });
  const { port } = await listening(server);
  const key =
    others.env?.['API_KEYS']?.split(':')[1] ?? /^API key for this run: (\S+)$/m.exec(server.stdout)?.[1] ?? '';
  return { server, listPets: async () => request(port, 'GET', '/v1/pets', { key }) };
}

let packed: string | undefined;

/** The package as npm would publish it, built and packed once for all tests. */
export function packTarball(): string {
  packed ??= process.env[TARBALL_VARIABLE];
  if (packed === undefined) {
    const folder = makeTemporaryFolder(endWithFile);
    endWithFile(() => (packed = undefined));
    succeed(ROOT, 'npm', ['pack', '--pack-destination', folder]);
    packed = join(folder, readdirSync(folder)[0] as string);
  }
  return packed;
}

/**
 * A stranger's project with the packed package in its node_modules, which npm needs no network for. It is removed when the test
 * ends, or the file if no test runs.
 *
 * @param linked The other packages to install there: those of this repository, linked.
 */
export function makeProject(linked: readonly string[] = []): string {
  const project = makeTemporaryFolder();
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'animal-store'), { recursive: true });
  succeed(project, 'tar', ['-xzf', packTarball(), '--strip-components=1', '-C', join(modules, 'animal-store')]);
  for (const name of new Set(linked)) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(realpathSync(join(ROOT, 'node_modules', name)), join(modules, name));
  }
  write(project, 'package.json', JSON.stringify({ private: true, type: 'module' }));
  return project;
}

/** The packages that npm would install with this one. */
export const DEPENDENCIES = Object.keys(MANIFEST.dependencies);

/** The packages that users install beside this one if they use the part that needs it, except packages of types. */
export const OPTIONAL_PACKAGES = Object.keys(MANIFEST.peerDependencies).filter((name) => !name.startsWith('@types/'));

/** All packages that the parts of this one need. */
export const ALL_PACKAGES = [...DEPENDENCIES, ...OPTIONAL_PACKAGES];

/** The examples that have packages of their own. */
export const EXAMPLES_WITH_PACKAGES = ['frameworks', 'tracing'];

/** Writes a file of a project. */
export function write(project: string, file: string, text: string): void {
  writeFileSync(join(project, file), text);
}

/** A stranger's project that holds a copy of a folder of this repository, without the packages installed in it. */
export function makeProjectOf(folder: string, linked: readonly string[]): string {
  const project = makeProject(linked);
  const filter = (source: string): boolean => basename(source) !== 'node_modules';
  cpSync(join(ROOT, folder), project, { recursive: true, filter });
  return project;
}

/** Links a folder into a project as a package of this name. */
export function linkAs(project: string, name: string, folder: string): void {
  const link = join(project, 'node_modules', name);
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(folder, link);
}

/**
 * A stranger's project with the packed package, and beside it the oldest version of an optional package that its range allows.
 * `installPackages` has installed that.
 */
export function makeProjectWithOldest(name: string): string {
  const folder = join(ROOT, TOOLS, 'node_modules', `oldest-${name.replace('@types/', 'types-')}`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string };
  const oldest = oldestOf(MANIFEST.peerDependencies[name] ?? '');
  if (version !== oldest) throw new Error(`${TOOLS}/package.json has ${name} ${version} instead of ${oldest}`);
  const project = makeProject(DEPENDENCIES);
  linkAs(project, name, folder);
  return project;
}

/** Links packages that are installed in a folder of this repository into a project, in place of those that are there. */
export function linkFrom(folder: string, project: string, names: readonly string[]): void {
  for (const name of names) {
    linkAs(project, name, join(ROOT, folder, 'node_modules', name));
  }
}

/**
 * A stranger's project that holds a copy of an example, and the packages that it depends on besides this one if it has some of its
 * own. They must be installed.
 *
 * @param linked The other packages to install there: those of this repository, linked.
 */
export function makeExample(name: string, linked: readonly string[]): string {
  const folder = join('examples', name);
  const project = makeProjectOf(folder, linked);
  if (EXAMPLES_WITH_PACKAGES.includes(name)) {
    const { dependencies } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as Pick<
      typeof MANIFEST,
      'dependencies'
    >;
    const names = Object.keys(dependencies).filter((each) => each !== 'animal-store');
    linkFrom(folder, project, names);
  }
  return project;
}
