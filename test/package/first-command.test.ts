import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Child } from '../support/child.js';
import { ROOT, run } from './project.js';

describe('the first command of the README', function () {
  this.timeout(120_000);
  let command: Child;

  before(async () => {
    command = Child.start('npm', ['start'], { env: { PORT: '0' }, isGroup: true });
    await command.find(() => (command.stdout.includes('curl ') ? true : undefined), 110_000);
  });

  after(async () => command.stop());

  it('is npm ci && npm start', async () => {
    expect(await readFile(join(ROOT, 'README.md'), 'utf8')).to.include('npm ci && npm start');
  });

  it('says where the server listens, and shows a key made for this run', () => {
    expect(command.stdout).to.match(/^Animal Store \S+ listens on http:\/\/127\.0\.0\.1:\d+\/v1$/m);
    expect(command.stdout).to.match(/^API key for this run: ask_[0-9A-Za-z]{38}$/m);
  });

  it('shows a curl line that gets an answer', () => {
    const [line = ''] = /^ *curl .*$/m.exec(command.stdout) ?? [];
    expect(run(ROOT, 'sh', ['-c', `${line} --silent --show-error`])).to.deep.include({ status: 0, stdout: '[]' });
  });
});
