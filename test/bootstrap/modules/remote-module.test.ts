import { expect } from 'chai';
import type { Container } from 'inversify';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createContainer } from '../../../src/bootstrap/container.js';
import { remoteModule, type RemoteModuleOptions } from '../../../src/bootstrap/modules/remote-module.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import { startScripted } from '../../adapters/remote/scripted-service.js';
import { KEY, serveCatalogue, urlOf } from '../../adapters/remote/serve-catalogue.js';

describe('remoteModule', () => {
  let warnings: (readonly [message: string, fields: object])[];
  const log = {
    warn: (fields: object, message: string) => void warnings.push([message, fields]),
    error: (fields: object, message: string) => void warnings.push([message, fields]),
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
    const { pet: rex } = await store.createPetOnce({ name: 'Rex', categoryId: 7 }, 'mine');
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
    const [[missing, fields], [silent, { err }]] = warnings as [[string, object], [string, { readonly err: unknown }]];
    expect([missing, fields]).to.deep.equal([
      'the remote store is not ready',
      { status: 404, readyUrl: new URL('/readyz', url).href },
    ]);
    expect(silent).to.equal('the readiness of the remote store is unknown');
    expect(err).to.be.instanceOf(Error);
    expect(warnings).to.have.length(2);
  });

  it('asks at the origin or at readyUrl, without the key, and at most once a second', async () => {
    const { url, seen } = await startScripted({});
    const check = await (await containerOf({ url: new URL('/shop/v1', url).href })).getAsync(TOKENS.isReady);
    await Promise.all([check(), check(), check()]);
    await isReady({ url, readyUrl: new URL('/shop/readyz', url).href });
    expect(seen.map((request) => request.url)).to.deep.equal(['/readyz', '/shop/readyz']);
    expect(seen[0]?.headers).not.to.have.property('authorization');
  });

  it('refuses an option immediately', () => {
    expect(() => remoteModule({ url: 'nowhere', apiKey: KEY })).to.throw(TypeError, 'url');
    const refused = ['http://user:secret@e/readyz', 'http://secret@e/readyz', 'http://:secret@e/readyz'];
    for (const readyUrl of [...refused, 'nowhere', 'file:///readyz']) {
      expect(() => remoteModule({ url: 'http://e/v1', apiKey: KEY, readyUrl }))
        .to.throw(TypeError)
        .with.property('message', 'readyUrl must be an http or https URL without credentials');
    }
  });

  it('may ask for its readiness over https', () => {
    remoteModule({ url: 'http://e/v1', apiKey: KEY, readyUrl: 'https://e/readyz' });
  });
});
