import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/child.js';
import { installPackages } from '../support/install-packages.js';
import { makeOnce } from '../support/make-once.js';

const run = promisify(execFile);

/** The environment in which programs of Go are built. */
const { GO_ENVIRONMENT } = (await import(join(ROOT, 'scripts/go-environment.js'))) as {
  readonly GO_ENVIRONMENT: Readonly<Record<string, string>>;
};

/** The folder of the tools: its lock file pins those of npm, and `requirements.txt` those of Python. */
export const TOOLS = join(ROOT, 'test/tools');

/** It installs the packages of Python in a seventh of the CPU time that pip takes. */
const UV = 'uv==0.13.8';

const REQUIREMENTS = join(TOOLS, 'requirements.txt');
const PYTHON = join(
  ROOT,
  '.cache',
  `tools-python-${createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12)}`,
);

/** The tools of Go, by the name of the program. */
const GO_TOOLS = {
  oasdiff: 'github.com/oasdiff/oasdiff@v1.35.0',
  'oapi-codegen': 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
} as const;

/** The folder with the packages of `requirements.txt`, for `PYTHONPATH`. They are installed first unless they are there. */
export async function installPython(): Promise<string> {
  const uv = join(ROOT, '.cache', UV);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check'];
  await makeOnce(uv, async (folder) => run('python3', [...pip, '--target', folder, UV]));
  const args = ['pip', 'install', '--quiet', '--no-deps', '--python', 'python3', '-r', REQUIREMENTS];
  await makeOnce(PYTHON, async (folder) => run(join(uv, 'bin/uv'), [...args, '--target', folder]));
  return PYTHON;
}

/** The path of a tool of Go, which is built first unless it is there. */
export async function installGo(name: keyof typeof GO_TOOLS): Promise<string> {
  const source = GO_TOOLS[name];
  const folder = join(ROOT, '.cache', `${name}-${source.split('@')[1]}`);
  await makeOnce(folder, async (unfinished) =>
    run('go', ['install', source], { env: { ...process.env, ...GO_ENVIRONMENT, GOBIN: unfinished } }),
  );
  return join(folder, name);
}

/** Installs every tool that is not there yet, at the same time. The tests of those that this machine cannot run are skipped. */
export async function installTools(): Promise<void> {
  const others = Promise.allSettled([
    ...(runs('python3', '-m', 'pip', '--version') ? [installPython()] : []),
    ...(runs('go', 'version') ? [installGo('oasdiff').then(async () => installGo('oapi-codegen'))] : []),
  ]);
  await installPackages(TOOLS);
  for (const result of await others) if (result.status === 'rejected') throw result.reason;
}

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
