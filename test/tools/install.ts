import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/child.js';
import { installPackages } from '../support/install-packages.js';

const run = promisify(execFile);

/** The folder of the tools: its lock file pins those of npm, and `requirements.txt` those of Python. */
export const TOOLS = join(ROOT, 'test/tools');

const REQUIREMENTS = join(TOOLS, 'requirements.txt');
const PYTHON = join(
  ROOT,
  '.cache',
  `tools-python-${createHash('sha256').update(readFileSync(REQUIREMENTS)).digest('hex').slice(0, 12)}`,
);

const OASDIFF_VERSION = 'v1.35.0';
const GO = join(ROOT, '.cache', `oasdiff-${OASDIFF_VERSION}`);

/** The folder with the packages of `requirements.txt`, for `PYTHONPATH`. They are installed first unless they are there. */
export async function installPython(): Promise<string> {
  const args = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--no-compile', '--disable-pip-version-check'];
  await installInto(PYTHON, async (folder) => run('python3', [...args, '--target', folder, '-r', REQUIREMENTS]));
  return PYTHON;
}

/** The path of oasdiff, which is built first unless it is there. */
export async function installOasdiff(): Promise<string> {
  await installInto(GO, async (folder) =>
    // Built without optimisation, which takes longer than the checks.
    run('go', ['install', '-gcflags=all=-N -l', `github.com/oasdiff/oasdiff@${OASDIFF_VERSION}`], {
      env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    }),
  );
  return join(GO, 'oasdiff');
}

/** Installs every tool that is not there yet, at the same time. The tests of those that this machine cannot run are skipped. */
export async function installTools(): Promise<void> {
  const others = Promise.allSettled([
    ...(runs('python3', '-m', 'pip', '--version') ? [installPython()] : []),
    ...(runs('go', 'version') ? [installOasdiff()] : []),
  ]);
  installPackages(TOOLS);
  for (const result of await others) if (result.status === 'rejected') throw result.reason;
}

function runs(program: string, ...args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

/** Makes a folder by an installation. One that is cut short leaves no folder. */
async function installInto(folder: string, install: (unfinished: string) => Promise<unknown>): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}-${process.pid}`;
  try {
    await mkdir(unfinished, { recursive: true });
    await install(unfinished);
    if (!existsSync(folder)) await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
