import { createServer } from 'node:http';
import { expect } from 'chai';
import { Container } from 'inversify';
import { applicationModule, httpModule, inMemoryModule, koaModule, TOKENS } from '../../src/bootstrap/index.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { request } from '../support/request.js';

const OURS = { name: 'ours', key: 'the key of the module' };

/** An application's own container, with our modules in it. The example `rebind` replaces their parts. */
function makeContainer(): Container {
  const container = new Container();
  container.bind('their own').toConstantValue('part');
  container.load(applicationModule(), inMemoryModule([OURS]), httpModule(), koaModule());
  return container;
}

describe('an application with its own container', () => {
  it('gets our application from it, once our modules are loaded', async () => {
    const container = makeContainer();
    const port = await listenOnFreePort(createServer(container.get(TOKENS.requestHandler)));
    expect(await request(port, 'GET', '/v1/pets', { key: OURS.key })).to.deep.include({ status: 200, text: '[]' });
    expect(container.get('their own')).to.equal('part');
  });

  it('gets the same store each time', () => {
    const container = makeContainer();
    expect(container.get(TOKENS.animalStore)).to.equal(container.get(TOKENS.animalStore));
  });
});
