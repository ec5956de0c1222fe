import { expect } from 'chai';
import { join } from 'node:path';
import { Child } from '../support/child.js';
import { listening } from '../support/command.js';
import { ALL_PACKAGES, makeProject, ROOT, write } from './project.js';

/** A store in TypeScript that Node runs without a compiler. */
const STORE = `
import { TOKENS } from 'animal-store/bootstrap';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';
import { ContainerModule } from 'inversify';
import type { NewPetInput } from 'animal-store';

const pets: readonly NewPetInput[] = [{ name: 'Rex', categoryId: 7n }];

export default function myModule({ env }: { readonly env: NodeJS.ProcessEnv }): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(TOKENS.petCatalogue).toResolvedValue(() => new InMemoryPetCatalogue(env['EMPTY'] ? [] : pets)).inSingletonScope();
  });
}
`;
const KEY = 'the-key-of-the-test';

/** The oldest major version of Node that removes types itself. */
async function nodeThatReadsTypeScript(): Promise<string> {
  if ((process.features as { readonly typescript?: unknown }).typescript === 'strip') return process.execPath;
  const { folderOfNode } = (await import(join(ROOT, 'scripts/node-program.js'))) as {
    readonly folderOfNode: (major: string) => string;
  };
  return join(folderOfNode('22'), 'node');
}

describe('a store in a TypeScript file', function () {
  this.timeout(180_000);

  it('works as --store on Node 22.18 or newer', async () => {
    const project = makeProject(ALL_PACKAGES);
    write(project, 'store.ts', STORE);
    const cli = 'node_modules/animal-store/dist/src/bootstrap/cli.js';
    const args = [cli, 'serve', '--port', '0', '--store', './store.ts'];
    const command = Child.start(await nodeThatReadsTypeScript(), args, {
      cwd: project,
      env: { API_KEYS: `test:${KEY}` },
    });
    const { url } = await listening(command);
    const response = await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${KEY}` } });
    expect(await response.text()).to.equal('[{"id":1,"name":"Rex","categoryId":7}]');
  });
});
