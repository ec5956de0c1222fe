import { expect } from 'chai';
import { createFetchHandler } from '../../../src/adapters/http/fetch/create-fetch-handler.js';
import { textContent } from '../../../src/adapters/http/content.js';
import { InMemoryApiKeys } from '../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../src/application/animal-store.js';
import { endWithTest } from '../../support/cleanup.js';

describe('the content of a file', () => {
  it('is the same object for any number of answers', async () => {
    const { identity } = textContent('text');
    expect(await identity()).to.equal(await identity());
  });

  it('is made by the next request if it could not be made by the first', async () => {
    const handle = createFetchHandler({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([]),
      log: { warn: () => undefined, error: () => undefined },
    });
    const get = async (): Promise<Response> => handle(new Request('http://127.0.0.1/openapi.json'));
    // Shadows the method of the prototype.
    crypto.subtle.digest = async () => Promise.reject(new Error('out of memory'));
    const restore = (): boolean => Reflect.deleteProperty(crypto.subtle, 'digest');
    endWithTest(restore);
    expect((await get()).status).to.equal(500);
    restore();
    expect((await get()).status).to.equal(200);
  });
});
