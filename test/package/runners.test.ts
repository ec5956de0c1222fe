import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { installPackages } from '../support/install-packages.js';
import { linkFrom, makeProject, makeProjectOf, ROOT, run, TOOLS, write } from './project.js';

const EXAMPLE = 'catalogue-letter.test.js';
const JEST = 'node --experimental-vm-modules node_modules/jest/bin/jest.js';

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
    command: JEST,
    packages: [TOOLS, 'jest', '@jest/globals'],
  },
};

const TEST = `
import { expect, it } from '@jest/globals';
import { createAnimalStore, isAnimalStoreError } from 'animal-store';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';

it('keeps an animal, and refuses another', async () => {
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  expect((await store.createPet({ name: 'Rex', categoryId: 7 })).id).toBe(1n);
  expect(isAnimalStoreError(await store.getPet(2).catch((error) => error))).toBe(true);
});
`;
const COMPILE_PACKAGE = `transformIgnorePatterns: ['/node_modules/(?!animal-store/)']`;
const tsconfig = (module: string): string =>
  JSON.stringify({
    compilerOptions: { module, target: 'es2023', strict: true, allowJs: true, isolatedModules: true, types: [] },
  });

/** Other setups of Jest in docs/embedding.md: their files, and the command. */
const SETUPS: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, command: string]>> = {
  'TypeScript by ts-jest, compiled to CommonJS': [
    {
      'jest.config.js': `module.exports = { preset: 'ts-jest/presets/js-with-ts', ${COMPILE_PACKAGE} };`,
      'tsconfig.json': tsconfig('node20'),
      'store.test.ts': TEST,
    },
    'jest',
  ],
};

describe('the test runners that the documents name', function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  /** Runs a command in a project, with its programs. Returns what it prints on both outputs. */
  function outputOf(project: string, command: string): string {
    const path = [join(project, 'node_modules/.bin'), process.env['PATH']].join(delimiter);
    const { status, stdout, stderr } = run(project, 'sh', ['-c', command], { PATH: path });
    expect(status, stdout + stderr).to.equal(0);
    return stdout + stderr;
  }

  for (const [name, { imports, command, packages }] of Object.entries(RUNNERS)) {
    it(`${name} passes the example by: ${command}`, () => {
      const imported = imports === undefined ? 'none: they are globals' : `\`${imports}\``;
      const row = `| ${name} | ${imported} | \`${command}\` |`;
      expect(readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8')).to.include(row);
      const project = makeProjectOf('examples/test-with-in-memory', []);
      const text = readFileSync(join(project, EXAMPLE), 'utf8');
      write(project, EXAMPLE, text.replace(/^import .* from 'node:test';$/m, imports ?? ''));
      const [folder, ...names] = packages;
      linkFrom(folder, project, names);
      expect(outputOf(project, command)).to.match(/pass 4|4 passing|4 passed/);
    });
  }

  for (const [name, [files, command]] of Object.entries(SETUPS)) {
    it(`Jest passes tests: ${name}`, () => {
      const project = makeProject();
      linkFrom(TOOLS, project, ['jest', '.bin/jest', '@jest/globals', 'ts-jest', 'typescript']);
      for (const [file, text] of Object.entries({ 'package.json': '{}', ...files })) write(project, file, text);
      expect(outputOf(project, `${command} --no-cache`)).to.include('1 passed');
    });
  }
});
