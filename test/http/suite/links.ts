import { expect } from 'chai';
import { before as justBefore, createPets, petOf, type PetText } from '../expectations.js';
import { get, getBeside, post, request, type GetService } from '../service.js';

/** The tests that the paths in header fields lead somewhere, wherever the interface is mounted. */
export function declareLinks(service: GetService): void {
  describe('paths in header fields', () => {
    it('lead from a new animal to it', async () => {
      const answer = await post(service(), '{"name":"Rex","categoryId":7}');
      const location = answer.header('Location') ?? '';
      expect(location).to.equal(`${service().basePath}/pets/${petOf(answer, 201).id}`);
      expect((await request(service(), 'GET', location)).text).to.equal(answer.text);
    });

    it('lead from a page to the next one', async () => {
      const pets = await createPets(service(), 3);
      const page = await get(service(), `/pets?limit=2&after=${justBefore(pets[0] as PetText)}`);
      const [, link = ''] = /^<([^>]+)>; rel="next"$/.exec(page.header('Link') ?? '') ?? [];
      expect(link.startsWith(`${service().basePath}/pets?`)).to.equal(true);
      expect(petOf(await request(service(), 'GET', link), 200)).to.deep.equal(pets[2]);
    });

    it('lead from a deprecated operation to its successor', async () => {
      const answer = await get(service(), '/pets/0');
      expect(answer.header('Link')).to.equal(`<${service().basePath}/pets>; rel="successor-version"`);
    });
  });
}

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
