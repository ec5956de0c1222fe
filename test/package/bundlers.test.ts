import { cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { build, type BuildOptions } from 'esbuild';
import { Child } from '../support/child.js';
import { installPackages } from '../support/install-packages.js';
import { needRuntime, runtime } from '../support/runtimes.js';
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

describe('a worker that serves animals from its memory, bundled', function () {
  this.timeout(600_000);
  let project: string;

  before(async () => installPackages(join(ROOT, TOOLS)));

  beforeEach(() => {
    project = makeProject(DEPENDENCIES);
    write(project, 'worker.mjs', WORKER);
  });

  /** Bundles a module of the project by esbuild for a runtime that sets some conditions; resolves to the bundle's text. */
  async function bundleFor(conditions: readonly string[], options: BuildOptions): Promise<string> {
    const { outputFiles = [] } = await build({
      absWorkingDir: project,
      entryPoints: ['worker.mjs'],
      bundle: true,
      write: false,
      conditions: [...conditions],
      logLevel: 'error',
      ...options,
    });
    return outputFiles.map(({ text }) => text).join('');
  }

  it('by wrangler, answers in workerd, with no flag for Node', async function () {
    await needRuntime(this, 'workerd');
    const config = { name: 'animals', main: 'worker.mjs', compatibility_date: '2025-09-01', send_metrics: false };
    write(project, 'wrangler.json', JSON.stringify(config));
    const wrangler = join(ROOT, TOOLS, 'node_modules/wrangler/bin/wrangler.js');
    const stdout = succeed(project, process.execPath, [wrangler, 'deploy', '--dry-run', '--outdir', '.'], {
      HOME: project,
    });
    expect(stdout).not.to.match(/warn/i);
    const text = readFileSync(join(ROOT, 'test/support/workerd.capnp'), 'utf8');
    write(
      project,
      'config.capnp',
      text
        .replaceAll('workerd.js', 'worker.js')
        .replace(/compatibilityDate = .*/, 'compatibilityDate = "2025-09-01",')
        .replace(/compatibilityFlags = .*/, ''),
    );
    const child = Child.start(await runtime('workerd'), ['serve', join(project, 'config.capnp'), '--control-fd=1']);
    const port = await child.find(() => /port"?[ :]+(\d+)/.exec(child.stdout)?.[1]);
    const ask = async (key: string): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/v1/pets`, { headers: { Authorization: `Bearer ${key}` } });
    expect(await (await ask(KEY)).text()).to.equal('[]');
    expect((await ask('another key of 16')).status).to.equal(401);
    await child.stop();
  });

  it('for the edge runtime of Vercel, answers in it', async () => {
    const text = await bundleFor(['edge-light', 'worker', 'browser'], { format: 'iife', globalName: 'worker' });
    const { EdgeVM } = createRequire(join(ROOT, TOOLS, 'package.json'))('@edge-runtime/vm') as {
      readonly EdgeVM: new () => { evaluate(code: string): unknown };
    };
    const request = `new Request('https://x/v1/pets', { headers: { Authorization: 'Bearer ${KEY}' } })`;
    const vm = new EdgeVM();
    vm.evaluate(text);
    const answered = vm.evaluate(`worker.default.fetch(${request}).then((answer) => answer.text())`);
    expect(await answered).to.equal('[]');
  });

  for (const name of ['bun', 'deno'] as const) {
    it(`for ${name}, answers in it`, async function () {
      await needRuntime(this, name);
      // Bun serves a module whose default export has a `fetch`.
      const text = await bundleFor([name], { format: 'iife', globalName: 'worker' });
      const ask = `
        const request = new Request('https://x/v1/pets', { headers: { Authorization: 'Bearer ${KEY}' } });
        console.log(await (await worker.default.fetch(request)).text());`;
      write(project, 'bundle.mjs', `${text}\n${ask}`);
      expect(succeed(project, await runtime(name), ['run', 'bundle.mjs'])).to.equal('[]\n');
    });
  }
});
