import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../support/until.js';
import { ROOT, run } from './project.js';

describe('the first command of the README', function () {
  this.timeout(60_000);
  let command: ChildProcess;
  let output = '';

  before(async () => {
    command = spawn('npm', ['start'], { cwd: ROOT, env: { ...process.env, PORT: '0' }, detached: true });
    for (const stream of [command.stdout, command.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    await until(() => output.includes('curl ') || command.exitCode !== null);
  });

  after(async () => {
    if (command.pid === undefined || command.exitCode !== null) return;
    const exited = once(command, 'exit');
    process.kill(-command.pid, 'SIGTERM');
    await exited;
  });

  it('is npm ci && npm start', async () => {
    expect(await readFile(join(ROOT, 'README.md'), 'utf8')).to.include('npm ci && npm start');
  });

  it('says where the server listens, and shows a key made for this run', () => {
    expect(output).to.match(/^Animal Store \S+ listens on http:\/\/127\.0\.0\.1:\d+\/v1$/m);
    expect(output).to.match(/^API key for this run: \S{32}$/m);
  });

  it('shows a curl line that gets an answer', () => {
    const [line = ''] = /^ *curl .*$/m.exec(output) ?? [];
    expect(run(ROOT, 'sh', ['-c', `${line} --silent --show-error`])).to.deep.include({ status: 0, stdout: '[]' });
  });
});
