import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runtime } from './runtimes.js';

const run = promisify(execFile);

/**
 * Installs what the `package-lock.json` of a folder names, unless that is installed already. Bun installs it, in a fifth of the CPU
 * time that npm takes. It runs no scripts of packages, which none of these needs.
 */
export async function installPackages(folder: string): Promise<void> {
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const modules = join(folder, 'node_modules');
  /** A copy of the file that was installed. */
  const installed = join(modules, '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  rmSync(modules, { recursive: true, force: true });
  await run(await runtime('bun'), ['install', '--frozen-lockfile'], { cwd: folder });
  writeFileSync(installed, lock);
}
