import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { ApiServer } from '../../../../src/adapters/http/operations/openapi.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';

describe('the reference page', () => {
  /** What the page may connect to if the service is at these addresses. */
  async function connections(servers?: readonly ApiServer[]): Promise<string | undefined> {
    const handle = createFetchHandler({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([]),
      ...(servers !== undefined && { servers }),
    });
    const { headers } = await handle(new Request('http://127.0.0.1/docs'));
    return headers
      .get('Content-Security-Policy')
      ?.split('; ')
      .find((directive) => directive.startsWith('connect-src '));
  }

  it('may send requests to each server of the document', async () => {
    const servers = ['https://animals.example/v1', 'https://staging.animals.example:8443/shop/v1'];
    expect(await connections(servers.map((url) => ({ url, description: 'A server' })))).to.equal(
      "connect-src 'self' https://animals.example https://staging.animals.example:8443",
    );
  });

  it('may send requests to its own origin alone if the document names no other server', async () => {
    expect(await connections()).to.equal("connect-src 'self'");
  });
});
