import { expect } from 'chai';
import { getBeside, request, type GetService } from '../service.js';

/** The tests that the OpenAPI document and the reference name paths that are there, wherever the interface is mounted. */
export function declareMountedPaths(service: GetService): void {
  describe('what /openapi.json and /docs name', () => {
    it('lists a server whose path is the base path', async () => {
      const path = `${service().mountPath}/openapi.json`;
      const { json } = await request(service(), 'GET', path, { authorization: null });
      const { servers } = json as { readonly servers: readonly [{ readonly url: string }] };
      expect(new URL(servers[0].url, `http://127.0.0.1${path}`).pathname).to.equal(service().basePath);
    });

    it('loads its scripts and styles only from the service, without a key', async () => {
      const origin = `http://127.0.0.1:${service().port}`;
      const { text } = await getBeside(service(), '/docs');
      const urls = [...text.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(
        ([, link]) => new URL(link ?? '', `${origin}${service().mountPath}/docs`),
      );
      expect(urls).not.to.deep.equal([]);
      for (const url of urls.filter(({ protocol }) => protocol !== 'data:')) {
        expect(url.origin).to.equal(origin);
        const answer = await request(service(), 'GET', url.pathname, { authorization: null });
        expect(answer.status, url.pathname).to.equal(200);
        expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
      }
    });
  });
}
