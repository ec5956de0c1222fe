import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import type { ReceivedResponse, Header } from '../../support/received-response.js';
import { BUNDLE_PATH, ICON_PATH, REFERENCE_FILES } from '../../support/reference-files.js';
import { getBeside, request, type GetService } from '../service.js';

const { resolve } = createRequire(import.meta.url);

/** The bytes of a file that the reference page loads, as they are in the repository or in Swagger UI. */
function bytesOf(name: string): Buffer {
  const own = new URL(`../../../src/adapters/http/reference/${name}`, import.meta.url);
  return readFileSync(existsSync(own) ? own : resolve(`swagger-ui-dist/${name}`));
}

const GZIP: Header = ['Accept-Encoding', 'gzip, deflate, br'];
const IMMUTABLE = 'public, max-age=31536000, immutable';

/** What a client accepts, and whether it gets gzip. */
const CODINGS: readonly (readonly [what: string, accepted: readonly string[], isGzip: boolean])[] = [
  ['of a browser', ['gzip, deflate, br, zstd'], true],
  ['of anything', ['*'], true],
  ['in two fields', ['deflate', 'gzip;q=0.5'], true],
  ['of identity first', ['gzip;q=0.5, identity'], false],
  ['that refuses gzip', ['br, gzip;q=0'], false],
  ['that is empty', [''], false],
  ['that is not well-formed', [';;q=,gzip;q=x'], false],
];

/** The value of `If-None-Match`, by the entity tag of the file and that of it in gzip, and the status of the response. */
const CONDITIONS: readonly (readonly [what: string, status: number, (tag: string, ofGzip: string) => string])[] = [
  ['its tag', 304, (tag) => tag],
  ['its tag, marked as weak, among others', 304, (tag) => `"a", W/"b,c" ,W/${tag}`],
  ['any tag', 304, () => '*'],
  ['the tag of gzip, which the client does not accept', 200, (_, ofGzip) => ofGzip],
];

const ask = async (service: GetService, path: string, ...headers: Header[]): Promise<ReceivedResponse> =>
  getBeside(service(), path, { headers });

/** The tests of the reference beside the base path, wherever the interface is mounted, and that its files arrive unchanged. */
export function declareReference(service: GetService): void {
  describe('the reference', () => {
    it('redirects /, /docs/ and the path that it is mounted at to /docs', async () => {
      const { mountPath } = service();
      for (const path of [`${mountPath}/`, `${mountPath}/docs/`, mountPath || '/']) {
        const response = await request(service(), 'GET', path, { authorization: null });
        expect([response.status, response.header('Location')], path).to.deep.equal([302, `${mountPath}/docs`]);
        expect(response.header('Content-Length')).to.equal(String(response.body.length));
      }
    });

    it('lists a server whose path is the base path', async () => {
      const { json } = await ask(service, '/openapi.json');
      const { servers } = json as { readonly servers: readonly [{ readonly url: string }] };
      const url = new URL(servers[0].url, `http://127.0.0.1${service().mountPath}/openapi.json`);
      expect(url.pathname).to.equal(service().basePath);
    });

    it('is an HTML page that loads its scripts and styles only from the service, without a key', async () => {
      const page = `http://127.0.0.1:${service().port}${service().mountPath}/docs`;
      const response = await ask(service, '/docs');
      expect(response.header('Content-Type')).to.equal('text/html; charset=utf-8');
      const links = [...response.text.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]+)"/g)].map(
        ([, link]) => link,
      );
      const paths = links.map((link) => new URL(link ?? '', page)).map(({ pathname }) => pathname);
      expect(paths).to.have.members(REFERENCE_FILES.map(({ path }) => service().mountPath + path));
    });

    for (const { name, path } of REFERENCE_FILES) {
      it(`sends ${name} byte for byte, again and again, to be kept for a year`, async () => {
        for (let i = 0; i < 2; i++) {
          const response = await ask(service, path);
          expect(response.body.equals(bytesOf(name))).to.equal(true);
          expect(response.header('Cache-Control')).to.equal(IMMUTABLE);
        }
      });
    }

    for (const path of ['/docs', BUNDLE_PATH]) {
      it(`answers If-None-Match for ${path} with 304, the fields that a cache updates, and no body`, async () => {
        const whole = await ask(service, path, GZIP);
        const response = await ask(service, path, GZIP, ['If-None-Match', whole.header('ETag') ?? '']);
        expect([response.status, response.text]).to.deep.equal([304, '']);
        for (const name of ['ETag', 'Cache-Control', 'Vary'])
          expect(response.header(name)).to.equal(whole.header(name));
        for (const name of ['Content-Length', 'Content-Type', 'Content-Encoding']) {
          expect(response.header(name), name).to.equal(undefined);
        }
      });
    }
  });
}

/** The tests of codings and preconditions of the OpenAPI document, the reference page, and its files. */
export function declareStaticFiles(service: GetService): void {
  it('sends a file that compression does not make smaller as it is', async () => {
    const response = await ask(service, ICON_PATH, GZIP);
    expect([response.header('Content-Encoding'), response.header('Vary')]).to.deep.equal([undefined, undefined]);
  });

  for (const [what, accepted, isGzip] of CODINGS) {
    it(`sends files ${isGzip ? 'in gzip' : 'as they are'} for an Accept-Encoding ${what}`, async () => {
      const response = await ask(service, BUNDLE_PATH, ...accepted.map((value) => ['Accept-Encoding', value] as const));
      expect(response.header('Content-Encoding')).to.equal(isGzip ? 'gzip' : undefined);
      const body = isGzip ? gunzipSync(response.body) : response.body;
      expect(body.equals(bytesOf('swagger-ui-bundle.js'))).to.equal(true);
    });
  }

  it('makes clients revalidate the page and the document each time, and looks at no other precondition', async () => {
    for (const path of ['/docs', '/openapi.json']) {
      const response = await ask(service, path, ['If-Match', '"a"']);
      expect([response.status, response.header('Cache-Control')]).to.deep.equal([200, 'no-cache']);
    }
  });

  for (const path of ['/openapi.json', BUNDLE_PATH]) {
    describe(`the entity tag of ${path}`, () => {
      const tagOf = ({ body }: ReceivedResponse): string => `"${createHash('sha256').update(body).digest('base64')}"`;

      it('is strong, and made of the bytes in each coding, which caches are told', async () => {
        for (const response of [await ask(service, path), await ask(service, path, GZIP)]) {
          expect([response.header('ETag'), response.header('Vary')]).to.deep.equal([
            tagOf(response),
            'Accept-Encoding',
          ]);
        }
      });

      for (const [what, status, ifNoneMatch] of CONDITIONS) {
        it(`is answered with ${status} to If-None-Match with ${what}`, async () => {
          const [whole, ofGzip] = [await ask(service, path), await ask(service, path, GZIP)];
          const response = await ask(service, path, ['If-None-Match', ifNoneMatch(tagOf(whole), tagOf(ofGzip))]);
          expect([response.status, response.text]).to.deep.equal([status, status === 304 ? '' : whole.text]);
        });
      }
    });
  }
}
