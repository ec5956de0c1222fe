import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { build, transform } from 'esbuild';
import { installPackages } from '../support/install-packages.js';
import { useMongodb } from '../support/use-mongodb.js';
import { ALL_PACKAGES, makeProject, makeProjectWithOldest, passedTests, ROOT, TOOLS, write } from './project.js';

/** What a compiler makes of a module. */
type Compile = (code: string) => Promise<string>;

interface Compiler {
  /** Babel's. */
  transformAsync(code: string, options: object): Promise<{ readonly code: string }>;
  /** SWC's. */
  transform(code: string, options: object): Promise<{ readonly code: string }>;
}

/**
 * A file of tests for `node:test`: the contract suites on some adapters.
 *
 * @param names Statements that import the names of `animal-store` and `animal-store/contract` from somewhere.
 * @param createCatalogue A statement that returns a catalogue, or a promise of one.
 * @param createKeys A statement that returns a registry and the keys that it issues, or a promise of them.
 */
const contractTests = (names: string, createCatalogue: string, createKeys: string): string => `
  import { randomBytes } from 'node:crypto';
  import { after, describe, it } from 'node:test';
  ${names}
  const runner = { describe, it };
  const createKeys = async () => { ${createKeys} };
  verifyPetCatalogueContract({ createCatalogue: async () => { ${createCatalogue} }, addOnce: true, restore: true, runner });
  verifyApiKeysContract({
    issueKeys: async (names) => {
      const { registry, apiKeys } = await createKeys();
      const manager = createApiKeyManager({ registry, now: () => new Date(), randomBytes });
      const keys = [];
      for (const name of names) keys.push((await manager.issue({ name })).key);
      return { apiKeys, keys };
    },
    runner,
  });
  verifyApiKeyRegistryContract({ createRegistry: createKeys, runner });`;

const NAMES = `
  allPets, createAnimalStore, createApiKeyManager, isAnimalStoreError,
  verifyApiKeyRegistryContract, verifyApiKeysContract, verifyPetCatalogueContract`;

const COMPILED = `${contractTests(
  `import { InMemoryApiKeys, InMemoryPetCatalogue, ${NAMES} } from './compiled.mjs';`,
  'return new InMemoryPetCatalogue();',
  'const apiKeys = new InMemoryApiKeys(); return { registry: apiKeys, apiKeys };',
)}
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  it('takes names by their code points', async () => {
    await store.createPet({ name: '\u{1F600}'.repeat(1024), categoryId: 7 });
    for await (const { name } of allPets(store)) if (name.length !== 2048) throw new Error(name.length);
  });
  it('throws errors that are known', async () => {
    const error = await store.createPet({ name: '', categoryId: 0.5 }).catch((error) => error);
    if (!isAnimalStoreError(error) || error.faults.length !== 2) throw error;
  });`;

const ON_MONGODB = contractTests(
  `
  import { randomUUID } from 'node:crypto';
  import { createApiKeyManager } from 'animal-store';
  import { verifyApiKeyRegistryContract, verifyApiKeysContract, verifyPetCatalogueContract } from 'animal-store/contract';
  import { connectMongoClient, MongoApiKeyRegistry, MongoApiKeys, MongoPetCatalogue } from 'animal-store/mongodb';
  const client = await connectMongoClient(process.env.MONGODB_URL);
  const databases = [];
  const open = () => {
    const db = client.db('animal-store-test-' + randomUUID());
    databases.push(db);
    return db;
  };
  after(async () => {
    await client.close();
    // By another client, as the ids that the first one reserves ahead would come between.
    const cleaner = await connectMongoClient(process.env.MONGODB_URL);
    for (const { databaseName } of databases) await cleaner.db(databaseName).dropDatabase();
    await cleaner.close();
  });`,
  'const catalogue = new MongoPetCatalogue(open()); await catalogue.init(); return catalogue;',
  `const db = open();
  const registry = new MongoApiKeyRegistry(db);
  await registry.init();
  return { registry, apiKeys: new MongoApiKeys(db) };`,
);

const OVER_HTTP = `
  import { after, describe, it } from 'node:test';
  import { createAnimalStore } from 'animal-store';
  import { verifyHttpContract } from 'animal-store/contract';
  import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
  import { createApp } from 'animal-store/koa';
  import { createHttpServer } from 'animal-store/node';
  const apiKey = 'a-key-of-sixteen.';
  const server = createHttpServer(
    createApp({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([{ name: 'tests', key: apiKey }]),
    }).callback(),
  );
  const { port } = await server.listen(0, '127.0.0.1');
  after(() => server.drain(0));
  verifyHttpContract({ baseUrl: \`http://127.0.0.1:\${port}/v1\`, apiKey, runner: { describe, it } });`;

describe('the contracts are kept by the packed package', function () {
  this.timeout(600_000);
  const mongodb = useMongodb();
  let source: string;
  let requireTool: NodeJS.Require;

  before(async () => {
    await installPackages(join(ROOT, TOOLS));
    requireTool = createRequire(join(ROOT, TOOLS, 'package.json'));
    const contents = ['', '/in-memory', '/contract'].map((entry) => `export * from 'animal-store${entry}';`).join('');
    const stdin = { contents, resolveDir: makeProject() };
    const { outputFiles } = await build({ stdin, bundle: true, format: 'esm', platform: 'node', write: false });
    source = outputFiles[0]?.text ?? '';
  });

  const tool = (name: string): Compiler => requireTool(name) as Compiler;
  const byBabel =
    (options: object): Compile =>
    async (code) => {
      const presets = [[requireTool.resolve('@babel/preset-env'), { modules: false, ...options }]];
      const babel = { presets, configFile: false, babelrc: false, compact: false };
      return (await tool('@babel/core').transformAsync(code, babel)).code;
    };
  const bySwc =
    (options: object): Compile =>
    async (code) =>
      (await tool('@swc/core').transform(code, { swcrc: false, ...options })).code;

  const COMPILERS: Readonly<Record<string, Compile>> = {
    'Babel, with preset-env and no targets': byBabel({}),
    'Babel, with preset-env, loose': byBabel({ loose: true }),
    'SWC, with no targets': bySwc({ env: {} }),
    'SWC, for ES5': bySwc({ jsc: { target: 'es5' } }),
    'esbuild, for ES2020': async (code) => (await transform(code, { target: 'es2020' })).code,
  };

  for (const [name, compile] of Object.entries(COMPILERS)) {
    it(`compiled by ${name}`, async () => {
      const project = makeProject();
      write(project, 'compiled.mjs', await compile(source));
      write(project, 'main.mjs', COMPILED);
      expect(passedTests(project, ['main.mjs'])).to.be.greaterThan(100);
    });
  }

  it('over HTTP', () => {
    const project = makeProject(ALL_PACKAGES);
    write(project, 'main.mjs', OVER_HTTP);
    expect(passedTests(project, ['main.mjs'])).to.be.greaterThan(50);
  });

  it('on the oldest version of mongodb in its range', () => {
    const project = makeProjectWithOldest('mongodb');
    write(project, 'main.mjs', ON_MONGODB);
    expect(passedTests(project, ['main.mjs'], { MONGODB_URL: mongodb.createDatabaseUrl() })).to.be.greaterThan(100);
  });
});
