import { mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { Child } from '../support/child.js';
import { listening } from '../support/command.js';
import { installPackages } from '../support/install-packages.js';
import { request } from '../support/request.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import {
  ALL_PACKAGES,
  folderOfNode,
  makeProject,
  MANIFEST,
  oldestOf,
  packTarball,
  ROOT,
  serveIn,
  succeed,
  TOOLS,
  write,
} from './project.js';

const KEY = 'at-least-16-characters';

/** The oldest Node that `engines` allows. */
const OLDEST_NODE = /^>=(\d+\.\d+)$/.exec(MANIFEST.engines.node)?.[1] ?? '';

/** The optional packages, each in the version that this package is developed with, which is the newest that fits. */
const OPTIONAL = Object.keys(MANIFEST.peerDependencies).map(
  (name) => `${name}@${MANIFEST.devDependencies[name] ?? ''}`,
);

/** The optional packages, each in the oldest version that fits. */
const OLDEST = Object.entries(MANIFEST.peerDependencies).map(([name, range]) => `${name}@${oldestOf(range)}`);

interface Manager {
  /** The files of a project that make the package manager refuse packages that are not for this Node. */
  readonly files: Readonly<Record<string, string>>;
  /** The program, in the folder of its package. */
  readonly program: string;
  readonly args: (tarball: string, cache: string) => readonly string[];
}

const STRICT = { '.npmrc': 'engine-strict=true\n' };

const MANAGERS: Readonly<Record<string, Manager>> = {
  npm: {
    files: STRICT,
    program: 'npm',
    args: (tarball) => ['install', '--no-audit', '--no-fund', tarball, ...OPTIONAL],
  },
  pnpm: {
    files: { ...STRICT, 'pnpm-workspace.yaml': 'engineStrict: true\nstrictPeerDependencies: true\n' },
    program: 'pnpm/bin/pnpm.cjs',
    args: (tarball, cache) => ['add', '--store-dir', cache, `file:${tarball}`, ...OPTIONAL],
  },
};

describe(`on Node ${OLDEST_NODE}, the oldest of engines, the package and its optional packages`, function () {
  this.timeout(600_000);
  let node: string;

  before(async () => {
    await installPackages(join(ROOT, TOOLS));
    node = folderOfNode(OLDEST_NODE);
  });

  /** An empty project with these files. */
  function emptyProject(files: Readonly<Record<string, string>>): string {
    const project = makeTemporaryFolder();
    write(project, 'package.json', JSON.stringify({ private: true, type: 'module' }));
    for (const [file, text] of Object.entries(files)) write(project, file, text);
    return project;
  }

  const environment = (): NodeJS.ProcessEnv => ({ PATH: `${node}${delimiter}${process.env['PATH'] ?? ''}` });

  for (const [name, { files, program, args }] of Object.entries(MANAGERS)) {
    it(`are installed by ${name}, told to refuse what is for another Node`, () => {
      const project = emptyProject(files);
      const all = args(packTarball(), makeTemporaryFolder());
      if (program === 'npm') succeed(project, 'npm', all, environment());
      else succeed(project, join(node, 'node'), [join(ROOT, TOOLS, 'node_modules', program), ...all], environment());
      const script = `import { startServer } from 'animal-store/bootstrap'; console.log(typeof startServer);`;
      write(project, 'main.mjs', script);
      expect(succeed(project, join(node, 'node'), ['main.mjs'])).to.equal('function\n');
    });
  }

  it('fit together for npm in the oldest versions of the optional ones, too', () => {
    succeed(emptyProject(STRICT), 'npm', ['install', '--dry-run', packTarball(), ...OLDEST], environment());
  });
});

/** A store of one's own, of one animal. */
const STORE = `
  import { TOKENS } from 'animal-store/bootstrap';
  import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
  import { ContainerModule } from 'inversify';
  import type { NewPetInput } from 'animal-store';

  const pets: readonly NewPetInput[] = [{ name: 'Rex', categoryId: 7n }];

  export default function store({ env }: { readonly env: NodeJS.ProcessEnv }): ContainerModule {
    return new ContainerModule(({ bind }) => {
      bind(TOKENS.petCatalogue).toConstantValue(new InMemoryPetCatalogue(env['EMPTY'] ? [] : pets));
      bind(TOKENS.apiKeys).toConstantValue(new InMemoryApiKeys([{ name: 'me', key: '${KEY}' }]));
    });
  }`;

/** A package of it, which only `import` finds. */
const PACKAGE = {
  'package.json': JSON.stringify({
    name: 'one-animal',
    version: '1.0.0',
    type: 'module',
    exports: { import: './index.js' },
    peerDependencies: { 'animal-store': '*', inversify: '*' },
  }),
  'index.js': transformSync(STORE, { loader: 'ts' }).code,
};
const ANIMALS = '[{"id":1,"name":"Rex","categoryId":7}]';

describe("the command with a store of one's own", function () {
  this.timeout(600_000);

  before(async () => installPackages(join(ROOT, TOOLS)));

  // Yarn 4 does not look at `engines`, so it need not run on the oldest Node.
  it("serves animals from a package under Yarn's Plug'n'Play, with what the documents add to .yarnrc.yml", async () => {
    const folder = makeTemporaryFolder();
    for (const name of ['project', 'one-animal']) mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(PACKAGE)) write(join(folder, 'one-animal'), file, text);
    const project = join(folder, 'project');
    const document = readFileSync(join(ROOT, 'docs/embedding.md'), 'utf8');
    const [, added = ''] = /^```yaml\n(packageExtensions:\n.*?)^```$/ms.exec(document) ?? [];
    write(project, '.yarnrc.yml', `enableTelemetry: false\n${added}`);
    write(project, 'package.json', JSON.stringify({ private: true, type: 'module' }));
    write(project, 'yarn.lock', '');
    const yarn = join(ROOT, TOOLS, 'node_modules/@yarnpkg/cli-dist/bin/yarn.js');
    const packages = [`animal-store@file:${packTarball()}`, 'one-animal@file:../one-animal', 'inversify'];
    succeed(project, process.execPath, [yarn, 'add', ...packages, 'reflect-metadata', ...OPTIONAL]);
    const command = ['animal-store', 'serve', '--port', '0', '--store', 'one-animal'];
    const server = Child.start(process.execPath, [yarn, ...command], { cwd: project, isGroup: true });
    const { port } = await listening(server);
    expect((await request(port, 'GET', '/v1/pets', { key: KEY })).text).to.equal(ANIMALS);
  });

  it('serves animals from a TypeScript file on Node 22.18 or newer', async () => {
    const project = makeProject(ALL_PACKAGES);
    write(project, 'store.ts', STORE);
    const node = 'typescript' in process.features ? process.execPath : join(folderOfNode('22'), 'node');
    const { listPets } = await serveIn(project, ['--store', './store.ts'], { node, env: { API_KEYS: `me:${KEY}` } });
    expect((await listPets()).text).to.equal(ANIMALS);
  });
});
