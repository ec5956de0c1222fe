import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './cruise.js';
import { sourceFiles } from './sources.js';

const LONGEST_FILE = 200;
const LONGEST_MEDIAN = 60;
const THE_COMMAND = 'src/bootstrap/cli.ts';

const run = promisify(execFile);

describe('the source files', () => {
  let files: readonly string[];
  let lengths: readonly number[];

  before(async () => {
    files = await sourceFiles();
    lengths = await Promise.all(files.map(async (file) => lines(await readFile(join(ROOT, file), 'utf8'))));
  });

  it(`have at most ${LONGEST_FILE} lines each`, () => {
    expect(files.filter((_, i) => (lengths[i] ?? 0) > LONGEST_FILE)).to.deep.equal([]);
    expect(files).to.include('src/domain/pet.ts');
  });

  it(`have a median of at most ${LONGEST_MEDIAN} lines`, () => {
    expect(lengths.toSorted((a, b) => a - b)[lengths.length >> 1]).to.be.at.most(LONGEST_MEDIAN);
  });

  it('have kebab-case names', () => {
    expect(files.filter((file) => !/^src(\/[a-z0-9]+(-[a-z0-9]+)*)+\.ts$/.test(file))).to.deep.equal([]);
  });

  it('can be imported, all but the command itself, without a word and without holding the process up', async () => {
    const modules = files.filter((file) => file !== THE_COMMAND).map((file) => `await import('./${file}');`);
    const { stdout, stderr } = await run(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', modules.join('\n')],
      { cwd: ROOT, timeout: 15_000, env: { PATH: process.env['PATH'] } },
    );
    expect({ stdout, stderr }).to.deep.equal({ stdout: '', stderr: '' });
  });
});

function lines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
