import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build, type BuildOptions } from 'esbuild';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { DEPENDENCIES, makeProject, OPTIONAL_PACKAGES, succeed, write } from './project.js';

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
  const handle = createFetchHandler({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: 'at least 16 characters' }]) });
  export default { fetch: (request) => handle(request) };
`;

/** The statement by which the documents let CommonJS in a bundle of ES modules ask for Node's own modules. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

const ESBUILDS: Readonly<Record<string, BuildOptions>> = {
  'CommonJS in one file': { format: 'cjs', outExtension: { '.js': '.cjs' } },
  'ES modules': { format: 'esm', splitting: true, outExtension: { '.js': '.mjs' }, banner: { js: REQUIRE } },
};

describe('animal-store/bootstrap, bundled without the optional packages and package.json', function () {
  this.timeout(600_000);
  let project: string;

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

describe('a worker that serves animals from its memory, bundled', () => {
  // An edge takes workers of 1 MB, compressed, and the reference page alone is half of that.
  it('is at most 60 kB, compressed, because it carries no reference page', async () => {
    const project = makeProject(DEPENDENCIES);
    const text = await bundle(project, WORKER, { format: 'esm', minify: true });
    expect(gzipSync(text).length).to.be.lessThan(60_000);
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

  it('of the API keys in memory says what it needs on a page that has no SHA-256', async () => {
    const text = await forBrowser(`import { InMemoryApiKeys } from 'animal-store/in-memory'; new InMemoryApiKeys();`);
    expect(() => runInNewContext(text, { crypto: {} })).to.throw('the in-memory adapters need SHA-256');
  });

  it('of the remote catalogue needs no module of Node, and is at most 8 KiB, minified and compressed', async () => {
    const text = await forBrowser(`export { RemotePetCatalogue } from 'animal-store/remote';`, { minify: true });
    expect(gzipSync(text, { level: 9 }).length).to.be.lessThan(8 * 1024);
  });
});
