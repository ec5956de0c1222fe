import { expect } from 'chai';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endWithFile } from '../support/cleanup.js';
import { Child } from '../support/child.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { ROOT, run } from './project.js';

/** What the command reads, beside the installed packages. */
const SOURCES = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'scripts', 'src', 'test/contracts'];

/**
 * Copies the sources and links the installed packages, as the command builds in its folder, which other tests use, too. The copy is
 * compiled without a check of its types: `npm run check` checks them, and so does the build of the packed package.
 */
function copyOfRepository(): string {
  const folder = makeTemporaryFolder(endWithFile);
  for (const name of SOURCES) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const configuration = join(folder, 'tsconfig.build.json');
  const { compilerOptions, ...others } = JSON.parse(readFileSync(configuration, 'utf8')) as {
    readonly compilerOptions: object;
  };
  writeFileSync(configuration, JSON.stringify({ ...others, compilerOptions: { ...compilerOptions, noCheck: true } }));
  return folder;
}

describe('the first command of the README', () => {
  let command: Child;

  before(async () => {
    command = Child.start('npm', ['start'], { cwd: copyOfRepository(), env: { PORT: '0' }, isGroup: true });
    await command.find(() => (command.stdout.includes('curl ') ? true : undefined), 110_000);
  });

  after(async () => command.stop());

  it('is npm ci && npm start', async () => {
    expect(await readFile(join(ROOT, 'README.md'), 'utf8')).to.include('npm ci && npm start');
  });

  it('says that it compiles, as this takes a while', () => {
    expect(command.stderr).to.match(/^Compiling the sources into dist …$/m);
  });

  it('shows a curl line that gets an answer', () => {
    const [line = ''] = /^ *curl .*$/m.exec(command.stdout) ?? [];
    expect(run(ROOT, 'sh', ['-c', `${line} --silent --show-error`])).to.deep.include({ status: 0, stdout: '[]' });
  });
});
