import { createServer } from 'node:http';
import { expect } from 'chai';
import { Container } from 'inversify';
import { InMemoryApiKeys } from '../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { applicationModule, httpModule, inMemoryModule, koaModule, TOKENS } from '../../src/bootstrap/index.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { request } from '../support/request.js';

const OURS = { name: 'ours', key: 'the key of the module' };
const THEIRS = { name: 'theirs', key: 'the key of the application' };

/** An application's own container, with our modules in it. */
function makeContainer(): Container {
  const container = new Container();
  container.bind('their own').toConstantValue('part');
  container.load(applicationModule(), inMemoryModule([OURS]), httpModule(), koaModule());
  return container;
}

/** The status and the body of a list, as the container's application answers over HTTP. */
async function listOver(container: Container, key: string): Promise<{ status: number; body: unknown }> {
  const port = await listenOnFreePort(createServer(container.get(TOKENS.requestHandler)));
  const { status, json } = await request(port, 'GET', '/v1/pets', { key });
  return { status, body: json };
}

describe('an application with its own container', () => {
  it('gets our application from it, once our modules are loaded', async () => {
    const container = makeContainer();
    expect(await listOver(container, OURS.key)).to.deep.equal({ status: 200, body: [] });
    expect(container.get('their own')).to.equal('part');
  });

  it('gets the same store each time', () => {
    const container = makeContainer();
    expect(container.get(TOKENS.animalStore)).to.equal(container.get(TOKENS.animalStore));
  });

  it('swaps the catalogue', async () => {
    const container = makeContainer();
    const catalogue = new InMemoryPetCatalogue();
    await catalogue.add({ name: 'Rex', categoryId: 7n });
    container.rebind(TOKENS.petCatalogue).toConstantValue(catalogue);
    expect((await listOver(container, OURS.key)).body).to.deep.equal([{ id: 1, name: 'Rex', categoryId: 7 }]);
    expect((await container.get(TOKENS.animalStore).getPet(1n)).name).to.equal('Rex');
  });

  it('swaps the API keys', async () => {
    const container = makeContainer();
    container.rebind(TOKENS.apiKeys).toConstantValue(new InMemoryApiKeys([THEIRS]));
    expect((await listOver(container, THEIRS.key)).status).to.equal(200);
    expect((await listOver(container, OURS.key)).status).to.equal(401);
  });
});
