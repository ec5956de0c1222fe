import { delimiter, join } from 'node:path';
import { expect } from 'chai';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { ALL_PACKAGES, folderOfNode, makeProject, MANIFEST, packTarball, serveIn, succeed, write } from './project.js';

/** The oldest Node that `engines` allows. */
const OLDEST_NODE = /^>=(\d+\.\d+)$/.exec(MANIFEST.engines.node)?.[1] ?? '';

describe(`on Node ${OLDEST_NODE}, the oldest of engines, the package`, function () {
  this.timeout(600_000);
  let node: string;

  before(() => {
    node = folderOfNode(OLDEST_NODE);
  });

  it('can be installed by npm, told to refuse what is for another Node, with the optional packages', () => {
    const project = makeTemporaryFolder();
    write(project, 'package.json', '{"private":true}');
    const packages = Object.keys(MANIFEST.peerDependencies).map((name) => `${name}@${MANIFEST.devDependencies[name]}`);
    const args = ['install', '--dry-run', '--engine-strict', '--no-audit', packTarball(), ...packages];
    succeed(project, 'npm', args, { PATH: `${node}${delimiter}${process.env['PATH'] ?? ''}` });
  });

  it('serves animals', async () => {
    const { listPets } = await serveIn(makeProject(ALL_PACKAGES), [], { node: join(node, 'node') });
    expect((await listPets()).text).to.equal('[]');
  });
});

describe("the command with a store of one's own", () => {
  it('serves animals from a TypeScript file on Node 22.18 or newer', async () => {
    const project = makeProject(ALL_PACKAGES);
    const key = 'at-least-16-characters';
    write(
      project,
      'store.ts',
      `import { TOKENS } from 'animal-store/bootstrap';
      import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
      import { ContainerModule } from 'inversify';
      import type { NewPetInput } from 'animal-store';

      const pets: readonly NewPetInput[] = [{ name: 'Rex', categoryId: 7n }];

      export default function store(): ContainerModule {
        return new ContainerModule(({ bind }) => {
          bind(TOKENS.petCatalogue).toConstantValue(new InMemoryPetCatalogue(pets));
          bind(TOKENS.apiKeys).toConstantValue(new InMemoryApiKeys([{ name: 'me', key: '${key}' }]));
        });
      }`,
    );
    const node = 'typescript' in process.features ? process.execPath : join(folderOfNode('22'), 'node');
    const { listPets } = await serveIn(project, ['--store', './store.ts'], { node, env: { API_KEYS: `me:${key}` } });
    expect((await listPets()).text).to.equal('[{"id":1,"name":"Rex","categoryId":7}]');
  });
});
