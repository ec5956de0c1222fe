import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '../support/child.js';
import { builtOrSource } from '../support/command.js';
import { WAIT_MS } from '../support/patience.js';
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
      [...loader, '--disable-warning=ExperimentalWarning', '--input-type=module', '-e', modules.join('\n')],
      { timeout: WAIT_MS, env: { PATH: process.env['PATH'] } },
    );
    expect({ stdout, stderr }).to.deep.equal({ stdout: '', stderr: '' });
  });
});

describe('the decisions', () => {
  const titles = new Map(
    readdirSync(join(ROOT, 'docs/adr'))
      .filter((file) => /^[0-9]/.test(file))
      .map((file) => {
        const [, number, title] = /^# (\d+)\. (.*)$/m.exec(textOf(`docs/adr/${file}`)) ?? [];
        return [Number(number), `[${title}](${file})`];
      }),
  );

  it('are all in their index, by their numbers', () => {
    const listed = [...textOf('docs/adr/README.md').matchAll(/^- (\d+): (?:\*\*)?(\[.*?\]\(.*?\))(?:\*\*)?$/gm)];
    expect(listed.map(([, number, link]) => [Number(number), link])).to.deep.equal([...titles]);
  });

  it('are there if a comment or a document names them', () => {
    const texts = ['src', 'docs'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(?:ts|md)$/.test(file))
        .map((file) => `${folder}/${file}`),
    );
    const named = texts.flatMap((file) =>
      [...textOf(file).matchAll(/\bADRs?\s+(\d+)/g)].map(([, number]) => ({ file, number: Number(number) })),
    );
    expect(named).not.to.deep.equal([]);
    expect(named.filter(({ number }) => !titles.has(number))).to.deep.equal([]);
  });
});
