import { expect } from 'chai';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';

const KEY = 'a key of sixteen.';

describe('the header fields of an answer of the Fetch handler', () => {
  const handle = createFetchHandler({
    store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
    apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
    corsOrigins: ['https://shop.example'],
  });
  const ask = (key?: string): Request =>
    new Request('http://127.0.0.1/v1/pets', {
      headers: { 'accept-encoding': 'gzip', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
    });

  it('are joined with those that an application appends', async () => {
    const { headers } = await handle(ask());
    headers.append('Vary', 'Accept-Encoding');
    headers.append('WWW-Authenticate', 'Basic realm="shop"');
    expect(headers.get('Vary')).to.equal('Origin, Accept-Encoding');
    expect(headers.get('WWW-Authenticate')).to.match(/^Bearer\b.*, Basic realm="shop"$/);
  });

  it('keep their Vary behind middleware that compresses', async () => {
    const app = new Hono().use(compress({ threshold: 1 })).all('*', async (context) => handle(context.req.raw));
    const { status, headers } = await app.request(ask(KEY));
    expect([status, headers.get('Content-Encoding')]).to.deep.equal([200, 'gzip']);
    expect(headers.get('Vary')).to.equal('Origin, Accept-Encoding');
  });
});
