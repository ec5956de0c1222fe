import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { Child, type Environment } from './child.js';

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--reporter', 'dot', 'test/support/left-open.ts'];

/** Whether a process runs. One that has ended and is not yet known to its parent counts as ended. */
async function isRunning(pid: string): Promise<boolean> {
  const ps = Child.start('ps', ['-o', 'stat=', '-p', pid]);
  await ps.exited;
  return /^[^Z\s]/.test(ps.stdout);
}

describe('a run of tests that fail and end nothing', () => {
  it('ends by itself, and leaves no process and no folder behind', async () => {
    const mocha = Child.start(process.execPath, MOCHA, { env: process.env as Environment });
    const { code } = await mocha.exited;
    expect(code, mocha.stdout + mocha.stderr).to.be.at.least(4);
    expect(mocha.stdout).not.to.include('"after all" hook');
    const printed = (word: string): readonly string[] =>
      [...mocha.stdout.matchAll(new RegExp(`${word} (\\S+)$`, 'gm'))].map(([, value]) => value ?? '');
    const [pids, folders] = [printed('process'), printed('folder')];
    expect([pids.length, folders.length], mocha.stdout).to.deep.equal([4, 1]);
    expect(await Promise.all(pids.map(isRunning))).to.deep.equal(pids.map(() => false));
    expect(folders.filter((folder) => existsSync(folder))).to.deep.equal([]);
  });
});
