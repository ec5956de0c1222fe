import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Child } from '../support/child.js';
import { makeTemporaryFolder } from '../support/temporary-folder.js';
import { packTarball, ROOT, succeed, write } from './project.js';

const KEY = 'at least 16 characters';
const PACKAGES = ['next@16.4.6', 'react@19.2.7', 'react-dom@19.2.7'];

/** The route of examples/frameworks/next-route.js, on a store in memory. */
const ROUTE = `
  import { createAnimalStore } from 'animal-store';
  import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
  import { createRoute } from '../../../next-route.js';

  export const runtime = 'edge';

  const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
  const apiKeys = new InMemoryApiKeys([{ name: 'me', key: '${KEY}' }]);
  export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute({ store, apiKeys });
`;
const LAYOUT = `
  import { createElement } from 'react';
  export default ({ children }) => createElement('html', null, createElement('body', null, children));
`;

describe('a route of Next.js for the edge runtime', function () {
  this.timeout(600_000);

  it('is built and serves animals', async () => {
    const project = makeTemporaryFolder();
    write(project, 'package.json', JSON.stringify({ private: true, type: 'module' }));
    succeed(project, 'npm', ['install', '--no-audit', '--no-fund', packTarball(), ...PACKAGES]);
    cpSync(join(ROOT, 'examples/frameworks/next-route.js'), join(project, 'next-route.js'));
    const folder = 'app/shop/[...path]';
    mkdirSync(join(project, folder), { recursive: true });
    write(project, 'app/layout.js', LAYOUT);
    write(project, `${folder}/route.js`, ROUTE);
    const next = join(project, 'node_modules/next/dist/bin/next');
    const env = { NEXT_TELEMETRY_DISABLED: '1' };
    succeed(project, process.execPath, [next, 'build'], env);

    const server = Child.start(process.execPath, [next, 'start', '--port', '0'], { cwd: project, env });
    const port = await server.find(() => /localhost:(\d+)/.exec(server.stdout)?.[1]);
    const ask = async (init: RequestInit): Promise<string> => {
      const headers = { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' };
      return (await fetch(`http://localhost:${port}/shop/v1/pets`, { headers, ...init })).text();
    };
    const rex = '{"id":1,"name":"Rex","categoryId":9223372036854775807}';
    expect(await ask({ method: 'POST', body: rex })).to.equal(rex);
    expect(await ask({})).to.equal(`[${rex}]`);
  });
});
