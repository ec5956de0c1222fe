import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './cruise.js';

/** A row of the table: its number, a link to a file, the functions, what they do. */
const STEP = /^\| \d+ \| \[[^\]]+\]\(\.\.\/([^)]+)\) \| ([^|]+) \|/gm;

describe('the way of a creation in docs/architecture.md', () => {
  it('names functions that the named files have', async () => {
    const steps = [...(await readFile(join(ROOT, 'docs/architecture.md'), 'utf8')).matchAll(STEP)];
    expect(steps).to.have.length.above(10);
    for (const [, file = '', names = ''] of steps) {
      const code = await readFile(join(ROOT, file), 'utf8');
      const functions = names.split(', ').map((name) => name.replaceAll('`', ''));
      const declared = functions.filter((name) => new RegExp(`\\b${name}(<[^(]*>)?(\\(|: \\()`).test(code));
      expect(declared, file).to.deep.equal(functions);
    }
  });
});
