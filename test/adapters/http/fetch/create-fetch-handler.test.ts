import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { fetchInMemory, inMemory, REX as BODY } from '../../../support/in-memory-interface.js';

const REX = { name: 'Rex', categoryId: 7n } as const;

describe('createFetchHandler', () => {
  const ask = fetchInMemory({ catalogue: new InMemoryPetCatalogue([REX, REX]) });

  for (const target of ['/v1/x/../pets', '/livez/../v1/pets', '/v1/%2e%2e/v1/./pets', '\\v1\\pets']) {
    it(`lists the animals for ${target}, which the runtime normalises, if there is a key`, async () => {
      expect(await (await ask(target)).json()).to.have.lengthOf(2);
      expect((await ask(target, { key: null })).status).to.equal(401);
    });
  }

  it('asks for no key if the normalised path is outside the base path', async () => {
    expect((await ask('/v1/../livez', { key: null })).status).to.equal(200);
  });

  it('ignores the fragment of a URL', async () => {
    const response = await ask('/v1/pets?limit=1#?limit=0');
    expect(await response.json()).to.have.lengthOf(1);
    expect(response.headers.get('Link')).to.equal('</v1/pets?limit=1&after=1>; rel="next"');
  });

  it('gives a response the header fields of the interface, and no others, and that to a HEAD no body', async () => {
    const response = await ask('/livez', { method: 'HEAD' });
    expect([response.status, await response.text()]).to.deep.equal([200, '']);
    expect([...response.headers.keys()]).to.deep.equal([
      'cache-control',
      'content-length',
      'content-type',
      'x-content-type-options',
      'x-request-id',
    ]);
  });

  it('refuses an invalid path to be mounted at', () => {
    for (const mountPath of ['shop', '/', '/shop/', '//shop', '/shop?', '/shop#', 'x/shop', '/shop/?a']) {
      expect(() => createFetchHandler({ ...inMemory(), mountPath }), mountPath).to.throw(TypeError, 'mountPath');
    }
  });

  it('keeps a comma in a header field that is no credential', async () => {
    const headers = { 'content-type': 'application/json; a="b,c"' };
    expect((await fetchInMemory()('/v1/pets', { body: BODY, headers })).status).to.equal(201);
  });

  it('can be mounted at a path of several segments', async () => {
    const mounted = createFetchHandler({ ...inMemory(), mountPath: '/the/shop' });
    expect((await mounted(new Request('http://127.0.0.1/the/shop/livez'))).status).to.equal(200);
  });

  it('serves a path that only begins with the letters of the path that it is mounted at', async () => {
    const mounted = createFetchHandler({ ...inMemory(), mountPath: '/live' });
    expect((await mounted(new Request('http://127.0.0.1/livez'))).status).to.equal(200);
  });

  it('takes the address of the client from what the runtime passes, and from what trustProxy finds', async () => {
    const addresses: unknown[] = [];
    const handle = createFetchHandler({
      ...inMemory(),
      onResponse: ({ clientAddress }) => addresses.push(clientAddress),
      trustProxy: (address, [, forwarded = '']) => (address === '10.1.2.3' ? forwarded : address),
      remoteAddress: (_request, info: { readonly hostname: string }) => info.hostname,
    });
    const asked = new Request('http://127.0.0.1/livez', { headers: { 'x-forwarded-for': '203.0.113.7' } });
    // Without trust, no header field tells the address.
    await handle(asked, { hostname: '192.0.2.1' });
    await handle(asked, { hostname: '10.1.2.3' });
    expect(addresses).to.deep.equal(['192.0.2.1', '203.0.113.7']);
  });
});
