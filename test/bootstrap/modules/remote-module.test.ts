import { expect } from 'chai';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createContainer } from '../../../src/bootstrap/container.js';
import { remoteModule } from '../../../src/bootstrap/modules/remote-module.js';
import { TOKENS } from '../../../src/bootstrap/tokens.js';
import { KEY, serveCatalogue, urlOf } from '../../adapters/remote/serve-catalogue.js';

describe('remoteModule', () => {
  it('binds the remote catalogue below the animal store', async () => {
    const catalogue = new InMemoryPetCatalogue();
    const container = await createContainer(remoteModule({ apiKey: KEY, url: urlOf(await serveCatalogue(catalogue)) }));
    const store = await container.getAsync(TOKENS.animalStore);
    const { pet: rex } = await store.createPetOnce({ name: 'Rex', categoryId: 7 }, 'mine');
    expect(await catalogue.find(rex.id)).to.deep.equal(rex);
  });

  it('refuses an option immediately', () => {
    expect(() => remoteModule({ url: 'nowhere', apiKey: KEY })).to.throw(TypeError, 'url');
  });
});
