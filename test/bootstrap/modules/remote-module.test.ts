import { expect } from 'chai';
import type { Container } from 'inversify';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createContainer } from '../../../src/bootstrap/container.js';
import { remoteModule, type RemoteModuleOptions } from '../../../src/bootstrap/modules/remote-module.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import { startScripted } from '../../adapters/remote/scripted-service.js';
import { KEY, serveCatalogue, urlOf } from '../../adapters/remote/serve-catalogue.js';

describe('remoteModule', () => {
  let warnings: (readonly [message: string, fields: { readonly err?: unknown }])[];
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

  it('is ready if the service answers', async () => {
    expect(await isReady({ url: urlOf(await serveCatalogue(new InMemoryPetCatalogue())) })).to.equal(true);
    expect(warnings).to.deep.equal([]);
  });

  it('is not ready, and says why in the log, if the service is not ready or refuses the key', async () => {
    for (const status of [503, 401]) {
      const { url } = await startScripted({ status, headers: { 'Retry-After': '60' } });
      expect(await isReady({ url })).to.equal(false);
    }
    expect(warnings.map(([message]) => message)).to.deep.equal(Array(2).fill('the remote store is not ready'));
    const causes = warnings.map(([, { err }]) => (err as { readonly code?: string; readonly name: string }).name);
    expect(causes).to.deep.equal(['AnimalStoreError', 'RemoteStoreError']);
  });

  it('asks at most once a second', async () => {
    const { url, seen } = await startScripted({});
    const check = await (await containerOf({ url })).getAsync(TOKENS.isReady);
    await Promise.all([check(), check(), check()]);
    expect(seen.map((request) => request.url)).to.deep.equal(['/v1/pets?limit=1']);
  });

  it('refuses an option immediately', () => {
    expect(() => remoteModule({ url: 'nowhere', apiKey: KEY })).to.throw(TypeError, 'url');
  });
});
