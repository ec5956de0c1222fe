import { expect } from 'chai';
import { existsSync } from 'node:fs';
import { Child } from '../support/child.js';
import { faultOfNamespaces, startInNamespace } from './network-namespace.js';
import { skip } from '../support/skip.js';
import { ABUSES } from './abuse.js';
import { restartUnderLoad } from './restarts.js';
import { startServer } from './soaked-server.js';

describe('an endurance run', () => {
  before(function () {
    if (!existsSync('/proc/self/fd')) skip(this, 'the descriptors of a process can be counted on Linux only');
  });

  it('fails, and says why, if the server keeps memory', async () => {
    const child = Child.startNode([
      'test/soak/main.ts',
      '--minutes',
      '0.05',
      '--store',
      './test/soak/leaking-store.ts',
    ]);
    const { code } = await child.exited;
    expect(child.stdout).to.include('✖ the server grew: heap');
    expect(code).to.equal(1);
  });

  it('fails no request while servers are restarted under load', async () => {
    const { requests, faults } = await restartUnderLoad(2, 'memory');
    expect(faults).to.deep.equal([]);
    expect(requests).to.be.at.least(80);
  });

  it('keeps the bound on memory with clients that never read', async function () {
    const fault = faultOfNamespaces();
    if (fault !== undefined) skip(this, `this machine gives no network namespace: ${fault}`);
    const run = startInNamespace('test/soak/never-reading.ts', ['20']);
    expect(await run.exited, run.stdout + run.stderr).to.deep.equal({ code: 0, signal: null });
  });

  it('expects of each abuse the response that the server gives', async () => {
    const { port } = await startServer('memory');
    const attempts = Object.entries(ABUSES).map(async ([name, { attempt }]) => [name, await attempt(port)] as const);
    expect((await Promise.all(attempts)).filter(([, fault]) => fault !== undefined)).to.deep.equal([]);
  });
});
