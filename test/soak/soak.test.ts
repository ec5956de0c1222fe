import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { Child, type Exit } from '../support/child.js';
import { faultOfNamespaces, startInNamespace } from './network-namespace.js';
import { skip } from '../support/skip.js';
import { ABUSES } from './abuse.js';
import { restartUnderLoad } from './restarts.js';
import { startServer } from './soaked-server.js';

/** Runs `npm run soak` with these options to its end. */
async function soak(...options: readonly string[]): Promise<Exit & { readonly output: string }> {
  const child = Child.startNode(['test/soak/main.ts', ...options]);
  const exit = await child.exited;
  return { ...exit, output: child.stdout + child.stderr };
}

describe('an endurance run', () => {
  before(function () {
    if (!existsSync('/proc/self/fd')) skip(this, 'the descriptors of a process can be counted on Linux only');
  });

  it('fails, and says why, if the server keeps memory', async () => {
    const leaking = ['--store', './test/soak/leaking-store.ts'];
    const { code, output } = await soak('--minutes', '0.05', '--restarts', '0', '--unread', '0', ...leaking);
    expect(output.split('\n')).to.include('✖ the server grew: heap');
    expect(code).to.equal(1);
  });

  it('fails no request while servers are restarted under load', async () => {
    const { requests, faults } = await restartUnderLoad(2, { store: 'memory' });
    expect(faults).to.deep.equal([]);
    expect(requests).to.be.at.least(80);
  });

  it('does not start with options that are at fault, and says how to use it', async () => {
    const { code, output } = await soak('--minutes', 'forever');
    expect(output).to.include('--minutes must be').and.to.include('usage: npm run soak');
    expect(code).to.equal(2);
  });

  describe('with clients that never read', () => {
    before(function () {
      const fault = faultOfNamespaces();
      if (fault !== undefined) skip(this, `this machine gives no network namespace: ${fault}`);
    });

    it('keeps the bound on memory', async () => {
      const run = startInNamespace('test/soak/never-reading.ts', ['20']);
      expect(await run.exited, run.stdout + run.stderr).to.deep.equal({ code: 0, signal: null });
    });
  });

  it('expects of each abuse the answer that the server gives', async () => {
    const { port } = await startServer({ store: 'memory' });
    const attempts = Object.entries(ABUSES).map(async ([name, { attempt }]) => [name, await attempt(port)] as const);
    expect((await Promise.all(attempts)).filter(([, fault]) => fault !== undefined)).to.deep.equal([]);
  });
});
