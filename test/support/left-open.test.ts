import { expect } from 'chai';
import { Child, type Environment } from './child.js';

const MOCHA = ['node_modules/mocha/bin/mocha.js', '--reporter', 'dot'];

/** Whether a process runs. One that has ended and is not yet known to its parent counts as ended. */
async function isRunning(pid: string): Promise<boolean> {
  const ps = Child.start('ps', ['-o', 'stat=', '-p', pid]);
  await ps.exited;
  return /^[^Z\s]/.test(ps.stdout);
}

describe('a run of tests that fail and end nothing', function () {
  this.timeout(90_000);

  it('ends by itself, and leaves no process behind', async () => {
    const mocha = Child.start(process.execPath, [...MOCHA, 'test/support/left-open.ts'], {
      env: process.env as Environment,
    });
    const { code } = await mocha.exited;
    expect(code, mocha.stdout + mocha.stderr).to.be.at.least(7);
    expect(mocha.stdout).not.to.include('"after all" hook');
    const pids = [...mocha.stdout.matchAll(/process (\d+)$/gm)].map(([, pid]) => pid ?? '');
    expect(pids.length, mocha.stdout).to.be.at.least(5);
    const running = await Promise.all(pids.map(isRunning));
    expect(running).to.deep.equal(pids.map(() => false));
  });
});
