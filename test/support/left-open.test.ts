import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { Child, type Environment } from './child.js';

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--reporter', 'dot'];

/** Whether a process runs. One that has ended and is not yet known to its parent counts as ended. */
async function isRunning(pid: string): Promise<boolean> {
  const ps = Child.start('ps', ['-o', 'stat=', '-p', pid]);
  await ps.exited;
  return /^[^Z\s]/.test(ps.stdout);
}

describe('a run of tests that fail and end nothing', function () {
  this.timeout(180_000);

  let mocha: Child;

  before(() => {
    const env = process.env as Environment;
    mocha = Child.start(process.execPath, [...MOCHA, 'test/support/left-open.ts'], { env });
  });

  it('ends by itself', async () => {
    const { code } = await mocha.exited;
    expect(code, mocha.stdout + mocha.stderr).to.be.at.least(6);
    expect(mocha.stdout).not.to.include('"after all" hook');
  });

  it('leaves no process behind', async () => {
    await mocha.exited;
    const pids = printed('process');
    expect(pids.length, mocha.stdout).to.be.at.least(5);
    const running = await Promise.all(pids.map(isRunning));
    expect(running).to.deep.equal(pids.map(() => false));
  });

  it('leaves no folder behind', async () => {
    await mocha.exited;
    const folders = printed('folder');
    expect(folders.length, mocha.stdout).to.be.at.least(1);
    expect(folders.filter((folder) => existsSync(folder))).to.deep.equal([]);
  });

  /** What the tests have printed behind this word, each on a line. */
  function printed(word: string): readonly string[] {
    return [...mocha.stdout.matchAll(new RegExp(`${word} (\\S+)$`, 'gm'))].map(([, value]) => value ?? '');
  }
});
