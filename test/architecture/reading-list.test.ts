import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/child.js';

/** A row of the table: its number, and a link to a file. */
const ROW = /^\| (\d+) \| \[[^\]]+\]\(([^)]+)\) \|/gm;

/** The sentence above the table, with the lines of all its files. */
const LINES = /^These fifteen files, .* have about ([\d,]+) lines in total/m;

describe('the reading list in README.md', () => {
  let readme: string;
  let files: string[];

  before(async () => {
    readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    files = [...readme.matchAll(ROW)].map((row) => row[2] as string);
  });

  it('has fifteen files', () => {
    expect(files).to.have.length(15);
  });

  it('says how many lines the files have, to within a tenth', async () => {
    const texts = await Promise.all(files.map(async (file) => readFile(join(ROOT, file), 'utf8')));
    const lines = texts.reduce((sum, text) => sum + text.trimEnd().split('\n').length, 0);
    const said = Number(LINES.exec(readme)?.[1]?.replace(',', ''));
    expect(said).to.be.within(lines * 0.9, lines * 1.1);
  });
});
