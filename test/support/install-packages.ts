import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Flags of compilers: a program that only tests use is compiled sooner than it would be optimised. */
const UNOPTIMISED = { CFLAGS: '-O0', CXXFLAGS: '-O0' };

/** Installs what the lockfile of a folder names, unless that is installed already. It may compile, which takes a while. */
export function installPackages(folder: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    env: { ...process.env, ...UNOPTIMISED },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
