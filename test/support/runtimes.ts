import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Context } from 'mocha';
import { Child, ROOT } from './child.js';
import { makeOnce } from './make-once.js';
import { skip } from './skip.js';

/** The JavaScript runtimes other than Node that the tests use, with the versions of their npm packages. */
const VERSIONS = { bun: '1.4.5', deno: '2.9.6', workerd: '1.20261117.1' } as const;

/** The name of a runtime, which is also that of its package and of its program. */
export type RuntimeName = keyof typeof VERSIONS;

const CACHE = join(ROOT, '.cache');

const run = promisify(execFile);

/**
 * The path of a runtime's program. Installs its package below `.cache` if it is not there; rejects if that fails.
 */
export async function runtime(name: RuntimeName): Promise<string> {
  const version = VERSIONS[name];
  const folder = join(CACHE, `${name}-${version}`);
  await makeOnce(folder, async (unfinished) =>
    run('npm', ['install', '--no-audit', '--no-fund', '--prefix', unfinished, `${name}@${version}`]),
  );
  return join(folder, 'node_modules/.bin', name);
}

/** Skips the test, or the suite if called in its `before`, if a runtime cannot be installed. In CI, it fails instead. */
export async function needRuntime(context: Context, name: RuntimeName): Promise<void> {
  try {
    await runtime(name);
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    skip(context, `${name} cannot be installed: ${String(error)}`);
  }
}

/** Bundled files, in a separate folder. */
export interface Bundle {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/**
 * Bundles files with everything that they import, each as `<name>.js`, and puts the configuration of workerd beside them. The
 * folder is below `.cache`.
 *
 * @param sources The folder that the files are in, from the root of the repository.
 */
export async function bundle(sources: string, names: readonly string[]): Promise<Bundle> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'bundle-'));
  await build({
    entryPoints: names.map((name) => join(ROOT, sources, `${name}.ts`)),
    outdir: folder,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2023',
    // Deno 2.9 cannot parse the escapes \uD83D\u{1F600} behind each other.
    charset: 'utf8',
    external: ['node:*'],
    logLevel: 'error',
  });
  await cp(join(ROOT, 'test/support/workerd.capnp'), join(folder, 'workerd.capnp'));
  return { folder, remove: async () => rm(folder, { recursive: true, force: true }) };
}

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
