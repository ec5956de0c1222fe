import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { build, transform } from 'esbuild';
import { installPackages } from '../support/install-packages.js';
import { contractScript, type ContractOutcome } from './contract-script.js';
import { makeProject, ROOT, succeed, TOOLS, write } from './project.js';

/** What a compiler makes of a module. */
type Compile = (code: string) => Promise<string>;

interface Babel {
  transformAsync(code: string, options: object): Promise<{ readonly code: string }>;
}

interface Swc {
  transform(code: string, options: object): Promise<{ readonly code: string }>;
}

const SCRIPT = contractScript({
  imports: `
    import { allPets, createAnimalStore, createApiKeyManager, isAnimalStoreError } from './compiled.mjs';
    import { InMemoryApiKeys, InMemoryPetCatalogue } from './compiled.mjs';
    import { verifyApiKeyRegistryContract, verifyApiKeysContract, verifyPetCatalogueContract } from './compiled.mjs';`,
  createCatalogue: 'return new InMemoryPetCatalogue();',
  createKeys: 'const apiKeys = new InMemoryApiKeys(); return { registry: apiKeys, apiKeys };',
  more: `
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    checks.push(['takes names by their code points', async () => {
      await store.createPet({ name: '\u{1F600}'.repeat(1024), categoryId: 7 });
      for await (const { name } of allPets(store)) if (name.length !== 2048) throw new Error(name.length);
    }]);
    checks.push(['throws errors that are known', async () => {
      const error = await store.createPet({ name: '', categoryId: 0.5 }).catch((error) => error);
      if (!isAnimalStoreError(error) || error.faults.length !== 2) throw error;
    }]);`,
});

describe('the core and the contract suites, compiled by', function () {
  this.timeout(600_000);
  let source: string;
  let requireTool: NodeJS.Require;

  before(async () => {
    await installPackages(join(ROOT, TOOLS));
    requireTool = createRequire(join(ROOT, TOOLS, 'package.json'));
    const contents = ['', '/in-memory', '/contract'].map((entry) => `export * from 'animal-store${entry}';`).join('');
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: makeProject() },
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
    });
    source = outputFiles[0]?.text ?? '';
  });

  const byBabel =
    (options: object): Compile =>
    async (code) => {
      const { transformAsync } = requireTool('@babel/core') as Babel;
      const presets = [[requireTool.resolve('@babel/preset-env'), { modules: false, ...options }]];
      return (await transformAsync(code, { presets, configFile: false, babelrc: false, compact: false })).code;
    };
  const bySwc =
    (options: object): Compile =>
    async (code) =>
      (await (requireTool('@swc/core') as Swc).transform(code, { swcrc: false, ...options })).code;

  const COMPILERS: Readonly<Record<string, Compile>> = {
    'Babel, with preset-env and no targets': byBabel({}),
    'Babel, with preset-env, loose': byBabel({ loose: true }),
    'SWC, with no targets': bySwc({ env: {} }),
    'SWC, for ES5': bySwc({ jsc: { target: 'es5' } }),
    'esbuild, for ES2020': async (code) => (await transform(code, { target: 'es2020' })).code,
  };

  for (const [name, compile] of Object.entries(COMPILERS)) {
    it(`${name}, keep their contracts`, async () => {
      const project = makeProject();
      write(project, 'compiled.mjs', await compile(source));
      write(project, 'main.mjs', SCRIPT);
      const { all, failed } = JSON.parse(succeed(project, process.execPath, ['main.mjs'])) as ContractOutcome;
      expect(failed).to.deep.equal([]);
      expect(all).to.be.greaterThan(100);
    });
  }
});
