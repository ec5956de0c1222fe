import { expect } from 'chai';
import type { Container } from 'inversify';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createContainer } from '../../../src/bootstrap/container.js';
import { remoteModule, type RemoteModuleOptions } from '../../../src/bootstrap/modules/remote-module.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import { startScripted } from '../../adapters/remote/scripted-service.js';
import { KEY, serveCatalogue, urlOf } from '../../adapters/remote/serve-catalogue.js';

describe('remoteModule', () => {
  let warnings: string[];
  const log = {
    info: () => undefined,
    warn: (_fields: object, message: string) => void warnings.push(message),
    error: (_fields: object, message: string) => void warnings.push(message),
  };

  beforeEach(() => (warnings = []));

  async function containerOf(options: Omit<RemoteModuleOptions, 'apiKey'>): Promise<Container> {
    return createContainer(remoteModule({ apiKey: KEY, log, ...options }));
  }

  async function isReady(options: Omit<RemoteModuleOptions, 'apiKey'>): Promise<boolean> {
    const check = await (await containerOf(options)).getAsync(TOKENS.isReady);
    return check();
  }

  it('binds the remote catalogue below the animal store', async () => {
    const catalogue = new InMemoryPetCatalogue();
    const container = await containerOf({ url: urlOf(await serveCatalogue(catalogue)) });
    const store = await container.getAsync(TOKENS.animalStore);
    const rex = await store.createPet({ name: 'Rex', categoryId: 7 }, { once: 'once' });
    expect(await catalogue.find(rex.id)).to.deep.equal(rex);
  });

  it('is ready if the service is', async () => {
    expect(await isReady({ url: urlOf(await serveCatalogue(new InMemoryPetCatalogue())) })).to.equal(true);
    expect(warnings).to.deep.equal([]);
  });

  it('is not ready if the service is not', async () => {
    const { url } = await startScripted({ status: 503 });
    expect(await isReady({ url })).to.equal(false);
    expect(warnings).to.deep.equal([]);
  });

  it('is not ready, and says so in the log, if the service has no /readyz or does not answer', async () => {
    const { url } = await startScripted({ status: 404 }, (response) => response.destroy());
    expect(await isReady({ url })).to.equal(false);
    expect(await isReady({ url })).to.equal(false);
    expect(warnings).to.have.length(2);
  });

  it('asks at the origin, without the key, or where it is told to, and once a second at most', async () => {
    const { url, seen } = await startScripted({});
    const check = await (await containerOf({ url })).getAsync(TOKENS.isReady);
    await Promise.all([check(), check(), check()]);
    await isReady({ url, readyUrl: new URL('/shop/readyz', url).href });
    expect(seen.map((request) => request.url)).to.deep.equal(['/readyz', '/shop/readyz']);
    expect(seen[0]?.headers).not.to.have.property('authorization');
  });

  it('refuses an option at once', () => {
    expect(() => remoteModule({ url: 'nowhere', apiKey: KEY })).to.throw(TypeError, 'url');
    for (const readyUrl of ['nowhere', 'file:///readyz', 'http://user:secret@e/readyz', 'http://secret@e/readyz']) {
      expect(() => remoteModule({ url: 'http://e/v1', apiKey: KEY, readyUrl }))
        .to.throw(TypeError, 'readyUrl')
        .with.property('message')
        .that.does.not.include('secret');
    }
  });
});
