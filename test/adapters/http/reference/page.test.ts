import { expect } from 'chai';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import { fetchInMemory, inMemory } from '../../../support/in-memory-interface.js';
import { BUNDLE_PATH } from '../../../support/reference-files.js';

describe('the reference page', () => {
  it('may load and do only what Swagger UI needs, and send requests to each server of the document', async () => {
    const urls = ['./v1', 'https://animals.example/v1', 'https://staging.animals.example:8443/shop/v1'];
    const servers = urls.map((url) => ({ url, description: 'A server' }));
    const { headers } = await fetchInMemory({ servers })('/docs');
    expect(headers.get('Content-Security-Policy')?.split('; ')).to.have.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self' https://animals.example https://staging.animals.example:8443",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('is not there unless it is passed to the interface, but the document is', async () => {
    const ask = fetchInMemory({ reference: undefined });
    const paths = ['/', '/docs', '/docs/', BUNDLE_PATH, '/openapi.json'];
    const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
    expect(statuses).to.deep.equal([404, 404, 404, 404, 200]);
  });

  // To decode, compress or hash a file of 1.4 MB costs more than to send it.
  it('shares the bytes of all responses in one coding', async () => {
    const { respond } = createHttpInterface(inMemory());
    for (const coding of ['identity', 'gzip']) {
      const bodyOf = async (): Promise<unknown> => {
        const rawHeaders = ['Accept-Encoding', coding];
        const readBody = async (): Promise<Uint8Array> => new Uint8Array();
        return (await respond({ method: 'GET', target: BUNDLE_PATH, rawHeaders, mountPath: '', readBody })).body;
      };
      const [first, second] = await Promise.all([bodyOf(), bodyOf()]);
      expect([second, await bodyOf()].every((body) => body === first)).to.equal(true);
    }
  });
});
