import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { Child, ROOT } from './child.js';

/** The JavaScript runtimes other than Node that the tests use, with the versions of their npm packages. */
const VERSIONS = { bun: '1.4.5', deno: '2.9.6', workerd: '1.20261117.1' } as const;

/** The name of a runtime, which is also that of its package and of its program. */
export type RuntimeName = keyof typeof VERSIONS;

const CACHE = join(ROOT, '.cache');
const SOURCES = join(ROOT, 'test/http/runtimes');

const run = promisify(execFile);

/**
 * The path of a runtime's program. Installs its package below `.cache` if it is not there; rejects if that fails.
 */
export async function runtime(name: RuntimeName): Promise<string> {
  const version = VERSIONS[name];
  const folder = join(CACHE, `${name}-${version}`);
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true });
    const unfinished = await mkdtemp(join(CACHE, `${name}-`));
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', unfinished, `${name}@${version}`]);
    await rename(unfinished, folder);
  }
  return join(folder, 'node_modules/.bin', name);
}

/** A bundle of one of the listeners in `test/http/runtimes`, in a folder of its own. */
export interface Bundle {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/**
 * Bundles a listener with everything that it imports, as `<name>.js`, and puts the configuration of workerd beside it. The
 * folder is below `.cache`.
 */
export async function bundleListener(name: string): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'listener-'));
  await build({
    entryPoints: [join(SOURCES, `${name}.ts`)],
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    external: ['node:*'],
    // Packages of CommonJS in the bundle of an ES module ask for Node's own modules by `require`.
    banner: name === 'koa' ? { js: REQUIRE } : {},
    logLevel: 'error',
  });
  await cp(join(SOURCES, 'workerd.capnp'), join(folder, 'workerd.capnp'));
  return { folder, remove: async () => rm(folder, { recursive: true, force: true }) };
}

const REQUIRE = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** Runs a listener on a runtime; resolves, with the port that it has printed, when it listens. */
export async function startListener(
  name: RuntimeName,
  listener: string,
  { folder }: Bundle,
): Promise<{ readonly child: Child; readonly port: number }> {
  const file = join(folder, `${listener}.js`);
  const args: Record<RuntimeName, readonly string[]> = {
    bun: ['run', file],
    deno: ['run', '--quiet', '--allow-net', '--allow-env', '--allow-read', '--allow-sys', file],
    workerd: ['serve', join(folder, 'workerd.capnp'), '--control-fd=1'],
  };
  const child = Child.start(await runtime(name), args[name]);
  const port = await child.find(() => /port"?[ :]+(\d+)/.exec(child.stdout)?.[1]);
  return { child, port: Number(port) };
}
