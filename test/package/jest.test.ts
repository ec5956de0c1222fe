import { expect } from 'chai';
import { join } from 'node:path';
import { installPackages } from '../support/install-packages.js';
import { linkFrom, makeProject, ROOT, run, TOOLS, write } from './project.js';

const { folderOfNode } = (await import(join(ROOT, 'scripts/node-program.js'))) as {
  readonly folderOfNode: (major: string) => string;
};

/** A project whose tests Jest runs. */
interface Setup {
  readonly test: 'store.test.js' | 'store.test.ts';
  readonly files: Readonly<Record<string, string>>;
  readonly isEsm?: boolean;
  readonly flags?: readonly string[];
}

const VM_MODULES = ['--experimental-vm-modules'];
const COMPILE_PACKAGE = `transformIgnorePatterns: ['/node_modules/(?!animal-store/)']`;
const BABEL = `module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }]] };`;

function tsconfig(module: string): string {
  return JSON.stringify({
    compilerOptions: { module, target: 'es2023', strict: true, allowJs: true, isolatedModules: true, types: [] },
  });
}

/** The setups that docs/embedding.md describes as working. */
const WORKING: Readonly<Record<string, Setup>> = {
  'ES modules, not compiled': {
    test: 'store.test.js',
    files: { 'jest.config.js': 'export default { transform: {} };' },
    isEsm: true,
    flags: VM_MODULES,
  },
  'TypeScript by ts-jest, compiled to ES modules': {
    test: 'store.test.ts',
    files: {
      'jest.config.js': `export default { preset: 'ts-jest/presets/default-esm' };`,
      'tsconfig.json': tsconfig('nodenext'),
    },
    isEsm: true,
    flags: VM_MODULES,
  },
  'TypeScript by ts-jest, compiled to CommonJS': {
    test: 'store.test.ts',
    files: {
      'jest.config.js': `module.exports = { preset: 'ts-jest/presets/js-with-ts', ${COMPILE_PACKAGE} };`,
      'tsconfig.json': tsconfig('node20'),
    },
  },
  'Babel, compiled to CommonJS': {
    test: 'store.test.js',
    files: { 'jest.config.js': `module.exports = { ${COMPILE_PACKAGE} };`, 'babel.config.js': BABEL },
  },
};

/** CommonJS that is not compiled, which Jest lets require ES modules on Node 24.9 or newer. */
const REQUIRING: Setup = {
  test: 'store.test.js',
  files: { 'jest.config.js': 'module.exports = { transform: {} };' },
  flags: VM_MODULES,
};

const TEST = `
import { describe, expect, it } from '@jest/globals';
import { createAnimalStore, isAnimalStoreError } from 'animal-store';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';

describe('a store', () => {
  it('keeps an animal, and refuses another', async () => {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    expect((await store.createPet({ name: 'Rex', categoryId: 7 })).id).toBe(1n);
    expect(isAnimalStoreError(await store.getPet(2).catch((error) => error))).toBe(true);
  });
});
`;

describe('Jest', function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  /** How Jest ends in a project on a version of Node, and what it prints. */
  function outcomeOf(setup: Setup, major: string) {
    const { test, files, isEsm = false, flags = [] } = setup;
    const project = makeProject();
    linkFrom(TOOLS, project, ['jest', '@jest/globals', 'ts-jest', 'typescript', '@babel/preset-env']);
    write(project, 'package.json', JSON.stringify({ private: true, type: isEsm ? 'module' : 'commonjs' }));
    for (const [file, text] of Object.entries(files)) write(project, file, text);
    write(
      project,
      test,
      setup === REQUIRING ? TEST.replaceAll(/import (.*) from (.*);/g, 'const $1 = require($2);') : TEST,
    );
    const node = join(folderOfNode(major), 'node');
    return run(project, node, [...flags, 'node_modules/jest/bin/jest.js', '--no-cache']);
  }

  for (const [name, setup] of Object.entries(WORKING)) {
    it(`passes tests: ${name}`, () => {
      const { status, stdout, stderr } = outcomeOf(setup, 'current');
      expect(status, stdout + stderr).to.equal(0);
      expect(stderr).to.include('1 passed');
    });
  }

  // Jest loads ES modules by an API of Node, which is another one there.
  it('passes tests on Node 24: ES modules, not compiled', () => {
    const { status, stdout, stderr } = outcomeOf(WORKING['ES modules, not compiled'] as Setup, '24');
    expect(status, stdout + stderr).to.equal(0);
  });

  it('lets CommonJS require the package on Node 24', () => {
    const { status, stdout, stderr } = outcomeOf(REQUIRING, '24');
    expect(status, stdout + stderr).to.equal(0);
  });
});
