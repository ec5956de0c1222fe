import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { linkFrom, makeProjectOf, ROOT, run, TOOLS, write } from './project.js';

const EXAMPLE = 'catalogue-letter.test.js';
const JEST = 'node --experimental-vm-modules node_modules/jest/bin/jest.js';

/** The runners of docs/embedding.md but node:test, which `examples.test.ts` uses: where their functions are, and their packages. */
const RUNNERS: Readonly<Record<string, { from?: string; command: string; packages: readonly [string, ...string[]] }>> =
  {
    mocha: { command: "mocha '*.test.js'", packages: ['.', 'mocha', '.bin/mocha'] },
    vitest: { from: 'vitest', command: 'vitest run', packages: [TOOLS, 'vitest', '.bin/vitest'] },
    Jest: { from: '@jest/globals', command: JEST, packages: [TOOLS, 'jest', '@jest/globals'] },
  };

describe('the test runners that the documents name', function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  for (const [name, { from, command, packages }] of Object.entries(RUNNERS)) {
    it(`${name} passes the example by: ${command}`, () => {
      const imports = from === undefined ? '' : `import { beforeEach, describe, it } from '${from}';`;
      const row = `| ${name} | ${imports === '' ? 'none: they are globals' : `\`${imports}\``} | \`${command}\` |`;
      expect(readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8')).to.include(row);

      const project = makeProjectOf('examples/test-with-in-memory', []);
      const text = readFileSync(join(project, EXAMPLE), 'utf8');
      write(project, EXAMPLE, text.replace(/^import .* from 'node:test';$/m, imports));
      const [folder, ...names] = packages;
      linkFrom(folder, project, names);
      const path = [join(project, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
      const { status, stdout, stderr } = run(project, 'sh', ['-c', command], { PATH: path });
      expect(status, stdout + stderr).to.equal(0);
      expect(stdout + stderr).to.match(/4 passing|4 passed/);
    });
  }
});
