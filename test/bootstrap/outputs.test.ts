import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../src/bootstrap/cli.ts', import.meta.url));
const FULL = '/dev/full';

/** Runs the command with its outputs where nothing can be written, and answers its exit code. */
async function exitCodeOf(args: readonly string[], stdio: ['ignore', number | 'ignore', number | 'ignore']) {
  const child = spawn(process.execPath, ['--import', 'tsx', CLI, ...args], { stdio });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

describe('an output that cannot be written', function () {
  this.timeout(30_000);
  let full: number;

  before(function () {
    if (!existsSync(FULL)) {
      console.log(`Tests of outputs that cannot be written are skipped: there is no ${FULL}`);
      this.skip();
    }
    full = openSync(FULL, 'w');
  });

  after(() => {
    if (existsSync(FULL)) closeSync(full);
  });

  it('does not change the exit code of --version', async () => {
    expect(await exitCodeOf(['--version'], ['ignore', full, 'ignore'])).to.equal(0);
  });

  it('does not end the service where it is that of the log', async () => {
    const args = ['--import', 'tsx', CLI, 'serve', '--port', '0', '--log-level', 'trace'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', full] });
    const [greeting] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
    const url = /http:\/\/\S+(?=\/v1)/.exec(greeting.toString())?.[0] ?? '';
    for (let i = 0; i < 3; i++) expect((await fetch(`${url}/livez`)).status).to.equal(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).to.deep.equal([0, null]);
  });

  it('does not change the exit code of a bad configuration', async () => {
    expect(await exitCodeOf(['serve', '--port=x'], ['ignore', 'ignore', full])).to.equal(2);
  });
});
