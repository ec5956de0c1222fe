import { expect } from 'chai';
import { Hono } from 'hono';
import { compress } from 'hono/compress';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { inMemory, KEY, requestTo } from '../../../support/in-memory-interface.js';

describe('the header fields of an answer of the Fetch handler', () => {
  const handle = createFetchHandler(inMemory({ corsOrigins: ['https://shop.example'] }));
  const ask = (key: string | null): Request => requestTo('/v1/pets', { key, headers: { 'accept-encoding': 'gzip' } });

  it('are joined with those that an application appends', async () => {
    const { headers } = await handle(ask(null));
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
