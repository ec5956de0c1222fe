import { expect } from 'chai';
import { getBeside, request, type GetService } from '../service.js';

interface Operation {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly responses: Readonly<Record<string, unknown>>;
}
interface OpenApi {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The tests that the OpenAPI document and the reference name paths that are there, wherever the interface is mounted. */
export function declareMountedPaths(service: GetService): void {
  describe('what /openapi.json and /docs name', () => {
    it('lists a server whose path is the base path', async () => {
      const url = ((await getBeside(service(), '/openapi.json')).json as OpenApi).servers[0]?.url ?? '';
      expect(new URL(url, `http://127.0.0.1:${service().port}${service().mountPath}/openapi.json`).pathname).to.equal(
        service().basePath,
      );
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

/** The tests of the OpenAPI document and of the reference that shows it. */
export function declareOpenApi(service: GetService): void {
  describe('/openapi.json', () => {
    const read = async (): Promise<OpenApi> => (await getBeside(service(), '/openapi.json')).json as OpenApi;

    it('is an OpenAPI 3 document of the version 1.0.0 of the interface', async () => {
      const { openapi, info } = await read();
      expect(openapi).to.match(/^3\.\d+\.\d+$/);
      expect(info.version).to.equal('1.0.0');
    });

    it('describes the three operations by their names, and marks only getPet as deprecated', async () => {
      const { paths } = await read();
      expect(paths['/pets']?.['get']?.operationId).to.equal('listPets');
      expect(paths['/pets']?.['post']?.operationId).to.equal('createPet');
      expect(paths['/pets/{petId}']?.['get']?.operationId).to.equal('getPet');
      expect(paths['/pets/{petId}']?.['get']?.deprecated).to.equal(true);
      expect(paths['/pets']?.['get']?.deprecated ?? false).to.equal(false);
      expect(paths['/pets']?.['post']?.deprecated ?? false).to.equal(false);
    });

    it('describes every status that the interface names', async () => {
      const { paths } = await read();
      expect(paths['/pets']?.['get']?.responses).to.include.keys('200', '401');
      expect(paths['/pets']?.['post']?.responses).to.include.keys('201', '400', '401');
      expect(paths['/pets/{petId}']?.['get']?.responses).to.include.keys('200', '401', '404');
    });
  });

  describe('/docs', () => {
    it('is an HTML page with its length, not to be sniffed', async () => {
      const answer = await getBeside(service(), '/docs');
      expect(answer.header('Content-Type')).to.equal('text/html; charset=utf-8');
      expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
      expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
      expect(answer.header('X-Request-Id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
    });

    it('cannot be shown in a frame of another page', async () => {
      const policy = (await getBeside(service(), '/docs')).header('Content-Security-Policy');
      expect(policy?.split('; ')).to.include("frame-ancestors 'none'");
    });
  });
}
