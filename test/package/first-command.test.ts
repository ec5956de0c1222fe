import { expect } from 'chai';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../support/child.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { ROOT, run, write } from './project.js';

/** What the command reads, beside the installed packages. */
const SOURCES = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src', 'test/contracts'];

describe('the first command of the README', () => {
  it('says that it compiles, as this takes a while, and shows a curl line that gets a response', async () => {
    expect(readFileSync(join(ROOT, 'README.md'), 'utf8')).to.include('npm ci && npm start');
    // A copy, as the command builds in its folder, which other tests use. It is compiled without a check of its types.
    const folder = makeTemporaryFolder();
    for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const configuration = readFileSync(join(folder, 'tsconfig.build.json'), 'utf8');
    write(folder, 'tsconfig.build.json', configuration.replace('"noEmit": false', '"noEmit": false, "noCheck": true'));

    const command = Child.start('npm', ['start'], { cwd: folder, env: { PORT: '0' }, isGroup: true });
    const line = await command.find(() => /^ *(curl .*)$/m.exec(command.stdout)?.[1]);
    expect(command.stderr).to.match(/^Compiling the sources into dist …$/m);
    expect(run(ROOT, 'sh', ['-c', `${line} --silent --show-error`])).to.deep.include({ status: 0, stdout: '[]' });
  });
});
