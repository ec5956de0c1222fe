import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { builtOrSource } from '../support/command.js';
import { HAS_SQLITE } from '../support/sqlite.js';
import { sourceFiles } from './sources.js';

const THE_COMMAND = 'src/bootstrap/cli.ts';
/** On a Node without `node:sqlite`, the adapter throws when it is imported. */
const isImportable = (file: string): boolean =>
  file !== THE_COMMAND && (HAS_SQLITE || !file.startsWith('src/adapters/sqlite/'));

const run = promisify(execFile);

describe('the source files', () => {
  let files: readonly string[];

  before(async () => {
    files = await sourceFiles();
    expect(files).to.include('src/domain/pet.ts');
  });

  it('have kebab-case names', () => {
    expect(files.filter((file) => !/^src(\/[a-z0-9]+(-[a-z0-9]+)*)+\.ts$/.test(file))).to.deep.equal([]);
  });

  it('can be imported, except for the command itself, without output and without keeping the process alive', async function () {
    this.timeout(180_000);
    const { loader, cli } = builtOrSource();
    const root = pathToFileURL(join(dirname(cli), '../../'));
    const modules = files
      .filter(isImportable)
      .map((file) => `await import('${new URL(file.replace(/\.ts$/, extname(cli)), root).href}');`);
    const { stdout, stderr } = await run(
      process.execPath,
      [...loader, '--input-type=module', '-e', modules.join('\n')],
      { timeout: 50_000, env: { PATH: process.env['PATH'] } },
    );
    expect({ stdout, stderr }).to.deep.equal({ stdout: '', stderr: '' });
  });
});
