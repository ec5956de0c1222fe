import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { linkFrom, makeProjectOf, ROOT, run, TOOLS, write } from './project.js';

const TEST = 'catalogue-letter.test.js';

interface Runner {
  /** The import of its functions; none if they are global. */
  readonly imports?: string;
  readonly command: string;
  /** The folder in which its packages are installed, and these packages. */
  readonly packages: readonly [folder: string, ...packages: string[]];
}

/** The runners of docs/embedding.md. */
const RUNNERS: Readonly<Record<string, Runner>> = {
  '`node:test`': {
    imports: "import { beforeEach, describe, it } from 'node:test';",
    command: 'node --test',
    packages: ['.'],
  },
  mocha: { command: "mocha '*.test.js'", packages: ['.', 'mocha', '.bin/mocha'] },
  vitest: {
    imports: "import { beforeEach, describe, it } from 'vitest';",
    command: 'vitest run',
    packages: [TOOLS, 'vitest', '.bin/vitest'],
  },
  Jest: {
    imports: "import { beforeEach, describe, it } from '@jest/globals';",
    command: 'node --experimental-vm-modules node_modules/jest/bin/jest.js',
    packages: [TOOLS, 'jest', '@jest/globals'],
  },
};

describe('the test runners that the documents name', function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  for (const [name, { imports, command, packages }] of Object.entries(RUNNERS)) {
    it(`${name} passes the example by: ${command}`, () => {
      const imported = imports === undefined ? 'none: they are globals' : `\`${imports}\``;
      const row = `| ${name} | ${imported} | \`${command}\` |`;
      expect(readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8')).to.include(row);
      const project = makeProjectOf('examples/test-with-in-memory', []);
      const text = readFileSync(join(project, TEST), 'utf8');
      write(project, TEST, text.replace(/^import .* from 'node:test';$/m, imports ?? ''));
      const [folder, ...names] = packages;
      linkFrom(folder, project, names);
      const path = 'PATH="$PWD/node_modules/.bin:$PATH"';
      const { status, stdout, stderr } = run(project, 'sh', ['-c', `${path} ${command}`]);
      expect(status, stdout + stderr).to.equal(0);
      expect(stdout + stderr).to.match(/pass 4|4 passing|4 passed/);
    });
  }
});
