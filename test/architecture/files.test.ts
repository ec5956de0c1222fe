import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../support/child.js';
import { builtOrSource } from '../support/command.js';
import { HAS_SQLITE } from '../support/sqlite.js';

const THE_COMMAND = 'src/bootstrap/cli.ts';
/** On a Node without `node:sqlite`, the adapter throws when it is imported. */
const isImportable = (file: string): boolean =>
  file !== THE_COMMAND && (HAS_SQLITE || !file.startsWith('src/adapters/sqlite/'));
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const run = promisify(execFile);

describe('the source files', () => {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .sort();

  it('have kebab-case names', () => {
    expect(files).to.include('src/domain/pet.ts');
    expect(files.filter((file) => !/^src(\/[a-z0-9]+(-[a-z0-9]+)*)+\.ts$/.test(file))).to.deep.equal([]);
  });

  it('can be imported, except for the command itself, without output and without keeping the process alive', async () => {
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

  it('compare the digest of a key from a database in constant time; in memory and on MongoDB, a map finds the key by it', () => {
    const comparing = files.filter((file) => /\btimingSafeEqual\(/.test(textOf(file)));
    expect(comparing).to.deep.equal(['src/adapters/sqlite/sqlite-api-keys.ts']);
  });
});

describe('the reading list in README.md', () => {
  it('has fifteen files, and says how many lines they have, to within a tenth', () => {
    const readme = textOf('README.md');
    const listed = [...readme.matchAll(/^\| \d+ \| \[[^\]]+\]\(([^)]+)\) \|/gm)].map(([, file = '']) => file);
    expect(listed).to.have.length(15);
    const lines = listed.reduce((sum, file) => sum + textOf(file).trimEnd().split('\n').length, 0);
    const said = /^These fifteen files, .* have about ([\d,]+) lines in total/m.exec(readme)?.[1];
    expect(Number(said?.replace(',', ''))).to.be.within(lines * 0.9, lines * 1.1);
  });
});
