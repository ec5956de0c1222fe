import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { HAS_SQLITE } from '../support/sqlite.js';
import { ROOT } from '../support/child.js';
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
    const modules = files.filter(isImportable).map((file) => `await import('./${file}');`);
    const { stdout, stderr } = await run(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', modules.join('\n')],
      { cwd: ROOT, timeout: 50_000, env: { PATH: process.env['PATH'] } },
    );
    expect({ stdout, stderr }).to.deep.equal({ stdout: '', stderr: '' });
  });
});
