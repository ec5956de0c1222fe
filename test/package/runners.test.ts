import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { linkFrom, makeProjectOf, ROOT, run, TOOLS, write } from './project.js';

const TEST = 'catalogue-letter.test.js';

interface Runner {
  readonly name: string;
  readonly importLine: string;
  readonly command: string;
}

/** The table of runners in docs/embedding.md. */
function documentedRunners(): Runner[] {
  const text = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8');
  const [, table = ''] = /^\| Runner \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(text) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [, name = '', importCell = '', command = ''] = row.split('|').map((cell) => cell.trim());
      const importLine = importCell.startsWith('none') ? '' : code(importCell);
      return { name: name.replaceAll('`', ''), importLine, command: code(command) };
    });
}

function code(cell: string): string {
  return /^`(.+)`$/.exec(cell)?.[1] ?? '';
}

/** The packages of each runner, and the folder in which they are installed. */
const PACKAGES: Readonly<Record<string, readonly [folder: string, ...packages: string[]]>> = {
  mocha: ['.', 'mocha', '.bin/mocha'],
  vitest: [TOOLS, 'vitest', '.bin/vitest'],
  Jest: [TOOLS, 'jest', '@jest/globals'],
};

/** The example, for one runner, in a project that has the runner. */
function makeProjectFor({ name, importLine }: Runner): string {
  const project = makeProjectOf('examples/test-with-in-memory', []);
  const text = readFileSync(join(project, TEST), 'utf8');
  write(project, TEST, text.replace(/^import .* from 'node:test';$/m, importLine));
  const [folder = '.', ...packages] = PACKAGES[name] ?? [];
  linkFrom(folder, project, packages);
  return project;
}

describe('the test runners that the documents name', function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  it('are node:test, mocha, vitest and Jest', () => {
    expect(documentedRunners().map(({ name }) => name)).to.deep.equal(['node:test', 'mocha', 'vitest', 'Jest']);
  });

  for (const runner of documentedRunners()) {
    it(`${runner.name} passes the example by: ${runner.command}`, () => {
      const project = makeProjectFor(runner);
      const { status, stdout, stderr } = run(project, 'sh', [
        '-c',
        `PATH="$PWD/node_modules/.bin:$PATH" ${runner.command}`,
      ]);
      expect(status, stdout + stderr).to.equal(0);
      expect(stdout + stderr).to.match(/pass 4|4 passing|4 passed/);
    });
  }
});
