import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import {
  ALL_PACKAGES,
  folderOfNode,
  makeProject,
  MANIFEST,
  oldestOf,
  packTarball,
  serveIn,
  succeed,
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

/** A project that refuses packages that are not for this Node. */
const STRICT = { '.npmrc': 'engine-strict=true\n' };

describe(`on Node ${OLDEST_NODE}, the oldest of engines, the package and its optional packages`, function () {
  this.timeout(600_000);
  let node: string;

  before(() => {
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

  it('are installed by npm, told to refuse what is for another Node', () => {
    const project = emptyProject(STRICT);
    succeed(project, 'npm', ['install', '--no-audit', '--no-fund', packTarball(), ...OPTIONAL], environment());
    write(
      project,
      'main.mjs',
      `import { startServer } from 'animal-store/bootstrap'; console.log(typeof startServer);`,
    );
    expect(succeed(project, join(node, 'node'), ['main.mjs'])).to.equal('function\n');
  });

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

const ANIMALS = '[{"id":1,"name":"Rex","categoryId":7}]';

describe("the command with a store of one's own", function () {
  this.timeout(600_000);

  it('serves animals from a TypeScript file on Node 22.18 or newer', async () => {
    const project = makeProject(ALL_PACKAGES);
    write(project, 'store.ts', STORE);
    const node = 'typescript' in process.features ? process.execPath : join(folderOfNode('22'), 'node');
    const { listPets } = await serveIn(project, ['--store', './store.ts'], { node, env: { API_KEYS: `me:${KEY}` } });
    expect((await listPets()).text).to.equal(ANIMALS);
  });
});
