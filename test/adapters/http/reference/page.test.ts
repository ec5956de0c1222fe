import { expect } from 'chai';
import { createHttpInterface } from '../../../../src/adapters/http/http-interface.js';
import type { ApiServer } from '../../../../src/adapters/http/reference/openapi.js';
import { fetchInMemory, inMemory } from '../../../support/in-memory-interface.js';
import { BUNDLE_PATH } from '../../../support/reference-files.js';

describe('the reference page', () => {
  /** The policy of the page if the service is at these addresses. */
  async function policyOf(servers?: readonly ApiServer[]): Promise<readonly string[]> {
    const { headers } = await fetchInMemory({ ...(servers !== undefined && { servers }) })('/docs');
    return headers.get('Content-Security-Policy')?.split('; ') ?? [];
  }

  it('may load and do only what Swagger UI needs', async () => {
    expect(await policyOf()).to.have.members([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('may send requests to each server of the document', async () => {
    const urls = ['https://animals.example/v1', 'https://staging.animals.example:8443/shop/v1'];
    const policy = await policyOf(urls.map((url) => ({ url, description: 'A server' })));
    expect(policy).to.include("connect-src 'self' https://animals.example https://staging.animals.example:8443");
  });

  it('is not there unless it is passed to the interface, but the document is', async () => {
    const ask = fetchInMemory({ reference: undefined });
    const paths = ['/', '/docs', '/docs/', BUNDLE_PATH, '/openapi.json'];
    const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
    expect(statuses).to.deep.equal([404, 404, 404, 404, 200]);
  });

  // To decode, compress or hash a file of 1.4 MB costs more than to send it.
  for (const path of [BUNDLE_PATH, '/openapi.json']) {
    it(`and its document share the bytes of all answers in one coding: ${path}`, async () => {
      const { respond } = createHttpInterface(inMemory());
      for (const coding of ['identity', 'gzip']) {
        const bodyOf = async (): Promise<unknown> => {
          const readBody = async (): Promise<Uint8Array> => Promise.resolve(new Uint8Array());
          const rawHeaders = ['Accept-Encoding', coding];
          return (await respond({ method: 'GET', target: path, rawHeaders, mountPath: '', readBody })).body;
        };
        const [first, second] = await Promise.all([bodyOf(), bodyOf()]);
        expect([second, await bodyOf()].every((body) => body === first)).to.equal(true);
      }
    });
  }
});
