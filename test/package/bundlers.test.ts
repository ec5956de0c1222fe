import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build, type BuildOptions } from 'esbuild';
import { installPackages } from '../support/install-packages.js';
import { needRuntime, startListener } from '../support/runtimes.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { DEPENDENCIES, linkFrom, makeProject, OPTIONAL_PACKAGES, ROOT, succeed, TOOLS, write } from './project.js';

const KEY = 'at least 16 characters';

/** Starts the whole server, asks it for a list, and stops it. */
const SERVER = `
  import { startServer } from 'animal-store/bootstrap';
  startServer({ port: 0, logLevel: 'warn' }).then(async (server) => {
    const headers = { Authorization: 'Bearer ' + server.apiKey };
    const answer = await fetch(server.origin + server.basePath + '/pets', { headers });
    console.log(answer.status, await answer.text());
    await server.close();
  });
`;

/** A worker that serves animals from its memory. */
const WORKER = `
  import { createAnimalStore } from 'animal-store';
  import { createFetchHandler } from 'animal-store/fetch';
  import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  const handle = createFetchHandler({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: '${KEY}' }]) });
  export default { fetch: (request) => handle(request) };
`;

/** The statement by which the documents let CommonJS in a bundle of ES modules ask for Node's own modules. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

const EXTERNAL = JSON.stringify(OPTIONAL_PACKAGES);

/** A bundler: the file that configures it, its command, and the bundle that it makes of `main.mjs`. */
interface Bundler {
  readonly config?: readonly [file: string, text: string];
  readonly packages: readonly string[];
  readonly command: readonly [program: string, ...args: string[]];
  readonly bundle: string;
}

const BUNDLERS: Readonly<Record<string, Bundler>> = {
  Rollup: {
    config: [
      'rollup.config.mjs',
      `import commonjs from '@rollup/plugin-commonjs';
       import json from '@rollup/plugin-json';
       import resolve from '@rollup/plugin-node-resolve';
       export default { input: 'main.mjs', external: ${EXTERNAL}, output: { dir: 'out' },
         plugins: [resolve({ preferBuiltins: true, exportConditions: ['node'] }), commonjs(), json()] };`,
    ],
    packages: ['rollup', '@rollup/plugin-commonjs', '@rollup/plugin-json', '@rollup/plugin-node-resolve'],
    command: ['rollup/dist/bin/rollup', '-c', '--silent'],
    bundle: 'out/main.js',
  },
  'Vite, for a server': {
    config: [
      'vite.config.mjs',
      `export default { build: { ssr: 'main.mjs', outDir: 'out' }, ssr: { noExternal: true, external: ${EXTERNAL} } };`,
    ],
    packages: ['vite'],
    command: ['vite/bin/vite.js', 'build'],
    bundle: 'out/main.js',
  },
  ncc: {
    packages: [],
    command: ['@vercel/ncc/dist/ncc/cli.js', 'build', 'main.mjs', '--out', 'out'],
    bundle: 'out/index.mjs',
  },
};

const ESBUILDS: Readonly<Record<string, BuildOptions>> = {
  'CommonJS in one file': { format: 'cjs', outExtension: { '.js': '.cjs' } },
  'ES modules': { format: 'esm', splitting: true, outExtension: { '.js': '.mjs' }, banner: { js: REQUIRE } },
};

describe('animal-store/bootstrap, bundled without the optional packages and package.json', function () {
  this.timeout(600_000);
  let project: string;

  before(async () => installPackages(join(ROOT, TOOLS)));

  beforeEach(() => {
    project = makeProject(DEPENDENCIES);
    write(project, 'main.mjs', SERVER);
  });

  /** Runs a bundle where no package is. */
  function outputOf(bundle: string): string {
    const folder = makeTemporaryFolder();
    cpSync(join(project, bundle, '..'), folder, { recursive: true });
    return succeed(folder, process.execPath, [basename(bundle)]);
  }

  for (const [format, options] of Object.entries(ESBUILDS)) {
    it(`by esbuild to ${format}, serves animals`, async () => {
      const files = { absWorkingDir: project, entryPoints: ['main.mjs'], outdir: 'out', external: OPTIONAL_PACKAGES };
      await build({ ...files, bundle: true, platform: 'node', logLevel: 'error', ...options });
      expect(outputOf(`out/main${options.outExtension?.['.js'] ?? ''}`)).to.equal('200 []\n');
    });
  }

  for (const [name, { config, packages, command, bundle }] of Object.entries(BUNDLERS)) {
    it(`by ${name}, serves animals`, () => {
      const [program, ...args] = command;
      linkFrom(TOOLS, project, packages);
      if (config !== undefined) write(project, ...config);
      succeed(project, process.execPath, [join(ROOT, TOOLS, 'node_modules', program), ...args]);
      expect(outputOf(bundle)).to.equal('200 []\n');
    });
  }
});

/** Bundles the text of a module by esbuild in a project, and resolves to the bundle. */
async function bundle(project: string, contents: string, options: BuildOptions): Promise<string> {
  const { outputFiles = [] } = await build({
    absWorkingDir: project,
    stdin: { contents, resolveDir: project },
    bundle: true,
    write: false,
    logLevel: 'silent',
    ...options,
  });
  return outputFiles.map(({ text }) => text).join('');
}

describe('a worker that serves animals from its memory, bundled', function () {
  this.timeout(600_000);
  let project: string;

  before(async () => installPackages(join(ROOT, TOOLS)));

  beforeEach(() => {
    project = makeProject(DEPENDENCIES);
  });

  // An edge takes workers of 1 MB, compressed, and the reference page alone is half of that.
  it('is at most 60 kB, compressed, because it carries no reference page', async () => {
    expect(gzipSync(await bundle(project, WORKER, { format: 'esm' })).length).to.be.lessThan(60_000);
  });

  it('by wrangler, answers in workerd, with no flag for Node', async function () {
    await needRuntime(this, 'workerd');
    const config = { name: 'animals', main: 'main.mjs', compatibility_date: '2025-09-01', send_metrics: false };
    write(project, 'main.mjs', WORKER);
    write(project, 'wrangler.json', JSON.stringify(config));
    const wrangler = join(ROOT, TOOLS, 'node_modules/wrangler/bin/wrangler.js');
    const args = [wrangler, 'deploy', '--dry-run', '--outdir', '.'];
    expect(succeed(project, process.execPath, args, { HOME: project })).not.to.match(/warn/i);
    const text = readFileSync(join(ROOT, 'test/support/workerd.capnp'), 'utf8')
      .replaceAll('workerd.js', 'main.js')
      .replace(/compatibilityDate = .*/, 'compatibilityDate = "2025-09-01",')
      .replace(/compatibilityFlags = .*/, '');
    write(project, 'workerd.capnp', text);
    const { port } = await startListener('workerd', 'main', { folder: project, remove: async () => undefined });
    const ask = async (key: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await (await ask(KEY)).text()).to.equal('[]');
    expect((await ask('another key of 16')).status).to.equal(401);
  });

  it('for the edge runtime of Vercel, answers in it', async () => {
    const { EdgeVM } = createRequire(join(ROOT, TOOLS, 'package.json'))('@edge-runtime/vm') as {
      readonly EdgeVM: new () => { evaluate(code: string): unknown };
    };
    const vm = new EdgeVM();
    const conditions = ['edge-light', 'worker', 'browser'];
    vm.evaluate(await bundle(project, WORKER, { conditions, format: 'iife', globalName: 'worker' }));
    const request = `new Request('https://x/v1/pets', { headers: { Authorization: 'Bearer ${KEY}' } })`;
    expect(await vm.evaluate(`worker.default.fetch(${request}).then((answer) => answer.text())`)).to.equal('[]');
  });
});

describe('a bundle for a browser', () => {
  const forBrowser = async (contents: string, options: BuildOptions = {}): Promise<string> =>
    bundle(makeProject(['json-custom-numbers']), contents, { format: 'iife', platform: 'browser', ...options });

  it('of the core and the adapters in memory runs without Node, with keys by Web Crypto', async () => {
    const text = await forBrowser(`
      import { createAnimalStore, createApiKeyManager } from 'animal-store';
      import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
      const catalogue = new InMemoryPetCatalogue([{ name: 'Rex', categoryId: 7 }]);
      const keys = new InMemoryApiKeys([{ name: 'anna', key: 'a key of Anna' }]);
      const randomBytes = (size) => crypto.getRandomValues(new Uint8Array(size));
      const manager = createApiKeyManager({ registry: keys, now: () => new Date(), randomBytes });
      async function run() {
        const { name } = await createAnimalStore({ catalogue }).getPet(1n);
        const { key } = await manager.issue({ name: 'ben' });
        const principals = await Promise.all([key, 'a key of Anna', 'another'].map((text) => keys.verify(text)));
        return [name, ...principals.map((principal) => principal?.name)];
      }
      result = run();
    `);
    const context: { result?: Promise<unknown>; [name: string]: unknown } = { crypto: globalThis.crypto, TextEncoder };
    runInNewContext(text, context);
    expect(await context.result).to.deep.equal(['Rex', 'ben', 'anna', undefined]);
  });

  it('of the core and the catalogue in memory needs no cryptography', async () => {
    const text = await forBrowser(`
      import { createAnimalStore } from 'animal-store';
      import { InMemoryPetCatalogue } from 'animal-store/in-memory';
      result = createAnimalStore({ catalogue: new InMemoryPetCatalogue() }).listPets();
    `);
    const context: { result?: Promise<unknown> } = {};
    runInNewContext(text, context);
    expect(await context.result).to.deep.include({ pets: [] });
  });

  it('of the remote catalogue needs no module of Node, and is at most 8 KiB, minified and compressed', async () => {
    const text = await forBrowser(`export { RemotePetCatalogue } from 'animal-store/remote';`, { minify: true });
    expect(gzipSync(text, { level: 9 }).length).to.be.lessThan(8 * 1024);
  });

  it('of the API keys in memory says what it needs on a page that has no SHA-256', async () => {
    const text = await forBrowser(`import { InMemoryApiKeys } from 'animal-store/in-memory'; new InMemoryApiKeys();`);
    expect(() => runInNewContext(text, { crypto: {} })).to.throw('InMemoryApiKeys needs SHA-256');
  });
});
