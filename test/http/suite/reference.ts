import { expect } from 'chai';
import { getBeside, request, type GetService } from '../service.js';

/** The tests of the reference beside the base path, wherever the interface is mounted. */
export function declareReference(service: GetService): void {
  describe('the reference', () => {
    it('answers /docs with an HTML page, not to be sniffed', async () => {
      const answer = await getBeside(service(), '/docs');
      expect(answer.status).to.equal(200);
      expect(answer.header('Content-Type')).to.equal('text/html; charset=utf-8');
      expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
      expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
      expect(answer.header('X-Request-Id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
    });

    for (const path of ['/', '/docs/']) {
      it(`redirects ${path} to /docs`, async () => {
        const answer = await getBeside(service(), path);
        expect(answer.status).to.equal(302);
        expect(answer.header('Location')).to.equal(`${service().mountPath}/docs`);
        expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
      });
    }

    it('redirects the path that it is mounted at to /docs', async () => {
      const { mountPath } = service();
      const answer = await request(service(), 'GET', mountPath || '/', { authorization: null });
      expect(answer.status).to.equal(302);
      expect(answer.header('Location')).to.equal(`${mountPath}/docs`);
    });
  });

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
