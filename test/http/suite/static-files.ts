import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answer, Header } from '../../support/answer.js';
import { BUNDLE_PATH, ICON_PATH, REFERENCE_FILES } from '../../support/reference-files.js';
import { expectError } from '../expectations.js';
import { getBeside, type GetService } from '../service.js';

const { resolve } = createRequire(import.meta.url);
const PAGE_FOLDER = new URL('../../../src/adapters/http/operations/reference-page/', import.meta.url);

/** The bytes of a file that the reference page loads, as they are in its package or in the repository. */
function bytesOf(name: string): Buffer {
  const ofPackage = name.startsWith('swagger-ui') || name.startsWith('favicon');
  return readFileSync(ofPackage ? resolve(`swagger-ui-dist/${name}`) : fileURLToPath(new URL(name, PAGE_FOLDER)));
}

/** What a client accepts, and the coding that it gets of a file that there is in both. */
const CODINGS: readonly (readonly [what: string, accepted: readonly string[], coding: string | undefined])[] = [
  ['of a browser', ['gzip, deflate, br, zstd'], 'br'],
  ['of a browser without TLS', ['gzip, deflate'], 'gzip'],
  ['that prefers gzip', ['br;q=0.5, gzip;q=0.8'], 'gzip'],
  ['of anything', ['*'], 'br'],
  ['of identity alone', ['identity'], undefined],
  ['that is empty', [''], undefined],
  ['that is not well-formed', [';;q=,gzip;q=x'], undefined],
  ['in two fields', ['deflate', 'gzip'], 'gzip'],
];

const ifMatch = (value: string): Header => ['If-Match', value];
const ifNoneMatch = (value: string): Header => ['If-None-Match', value];

/** Conditions on a file, by its entity tag and that of it in gzip, and the status of the answer. */
const CONDITIONS: readonly (readonly [what: string, status: number, (tag: string, ofGzip: string) => Header[]])[] = [
  ['If-None-Match', 304, (tag) => [ifNoneMatch(tag)]],
  ['If-None-Match, marked as weak', 304, (tag) => [ifNoneMatch(`W/${tag}`)]],
  ['If-None-Match, among others', 304, (tag) => [ifNoneMatch(`"a", W/"b,c" ,${tag}`)]],
  ['If-None-Match of any tag', 304, () => [ifNoneMatch('*')]],
  ['If-None-Match of a coding that the client does not accept', 200, (_, ofGzip) => [ifNoneMatch(ofGzip)]],
  ['If-Match', 200, (tag) => [ifMatch(tag)]],
  ['If-Match, among others', 200, (tag) => [ifMatch(`"a", W/"b,c" ,${tag}`)]],
  ['the second of two fields If-Match', 200, (tag) => [ifMatch('"a"'), ifMatch(tag)]],
  ['If-Match of any tag', 200, () => [ifMatch('*')]],
  ['If-Match of something else', 412, () => [ifMatch('"a", "b"')]],
  ['If-Match, marked as weak', 412, (tag) => [ifMatch(`W/${tag}`)]],
  ['an empty If-Match', 412, () => [ifMatch('')]],
  ['If-Match with a star among tags', 412, () => [ifMatch('"a", *')]],
  ['If-Match of a coding that the client does not accept', 412, (_, ofGzip) => [ifMatch(ofGzip)]],
  ['a false If-Match before If-None-Match', 412, (tag) => [ifNoneMatch(tag), ifMatch('"a"')]],
  ['If-None-Match after a true If-Match', 304, (tag) => [ifNoneMatch(tag), ifMatch(tag)]],
];

/** The tests that a transport sends files and 304s unchanged. */
export function declareSentFiles(service: GetService): void {
  const ask = async (path: string, ...headers: Header[]): Promise<Answer> => getBeside(service(), path, { headers });

  describe('files', () => {
    for (const { name, path } of REFERENCE_FILES) {
      it(`sends ${name} byte for byte, again and again`, async () => {
        for (let i = 0; i < 2; i++) expect((await ask(path)).body.equals(bytesOf(name))).to.equal(true);
      });
    }

    for (const path of ['/docs', BUNDLE_PATH]) {
      const tagOf = async (...headers: Header[]): Promise<string> => (await ask(path, ...headers)).header('ETag') ?? '';

      it(`answer If-None-Match for ${path} with 304, the fields that a cache updates, and no body`, async () => {
        const gzip = ['Accept-Encoding', 'gzip'] as const;
        const [whole, answer] = [await ask(path, gzip), await ask(path, gzip, ['If-None-Match', await tagOf(gzip)])];
        expect([answer.status, answer.text]).to.deep.equal([304, '']);
        for (const name of ['ETag', 'Cache-Control', 'Vary']) expect(answer.header(name)).to.equal(whole.header(name));
        for (const name of ['Content-Length', 'Content-Type', 'Content-Encoding']) {
          expect(answer.header(name), name).to.equal(undefined);
        }
      });
    }
  });
}

/** The tests of what stays the same while the service runs: the OpenAPI document, the reference page, and its files. */
export function declareStaticFiles(service: GetService): void {
  const ask = async (path: string, ...headers: Header[]): Promise<Answer> => getBeside(service(), path, { headers });

  describe('a file that the page loads', () => {
    it('may be cached for a year without revalidation, because its path changes with its bytes', async () => {
      for (const { path } of REFERENCE_FILES) {
        const answer = await ask(path);
        expect(answer.status).to.equal(200);
        expect(answer.header('Cache-Control')).to.equal('public, max-age=31536000, immutable');
      }
    });

    for (const [what, accepted, coding] of CODINGS) {
      it(`comes ${coding === undefined ? 'uncompressed' : `in ${coding}`} for an Accept-Encoding ${what}`, async () => {
        const answer = await ask(BUNDLE_PATH, ...accepted.map((value) => ['Accept-Encoding', value] as const));
        expect(answer.header('Content-Encoding')).to.equal(coding);
        expect(decoded(answer).equals(bytesOf('swagger-ui-bundle.js'))).to.equal(true);
      });
    }

    it('comes uncompressed if compression does not make it smaller', async () => {
      const answer = await ask(ICON_PATH, ['Accept-Encoding', 'gzip, br']);
      expect([answer.header('Content-Encoding'), answer.header('Vary')]).to.deep.equal([undefined, undefined]);
      expect(answer.body.equals(bytesOf('favicon-32x32.png'))).to.equal(true);
    });
  });

  for (const path of ['/docs', '/openapi.json']) {
    describe(path, () => {
      it('may be cached, but must be revalidated each time', async () => {
        expect((await ask(path)).header('Cache-Control')).to.equal('no-cache');
      });

      it('comes in gzip for a client that accepts it', async () => {
        const answer = await ask(path, ['Accept-Encoding', 'gzip, br']);
        expect(answer.header('Content-Encoding')).to.equal('gzip');
        expect(decoded(answer).equals((await ask(path)).body)).to.equal(true);
      });
    });
  }

  for (const path of ['/docs', '/openapi.json', BUNDLE_PATH]) {
    describe(`an entity tag of ${path}`, () => {
      let tag: string;
      let ofGzip: string;
      const tagOf = async (coding: string): Promise<string> =>
        (await ask(path, ['Accept-Encoding', coding])).header('ETag') ?? '';
      before(async () => {
        tag = await tagOf('identity');
        ofGzip = await tagOf('gzip');
      });

      it('is strong, and made of the bytes in each coding, which caches are told', async () => {
        for (const coding of ['identity', 'gzip']) {
          const answer = await ask(path, ['Accept-Encoding', coding]);
          const hash = createHash('sha256').update(answer.body).digest('hex').slice(0, 32);
          expect([answer.header('ETag'), answer.header('Vary')]).to.deep.equal([`"${hash}"`, 'Accept-Encoding']);
        }
      });

      for (const [what, status, fields] of CONDITIONS) {
        it(`is answered with ${status} in ${what}`, async () => {
          const answer = await ask(path, ...fields(tag, ofGzip));
          if (status === 412) {
            expectError(answer, 412, 'precondition_failed');
            for (const name of ['ETag', 'Content-Encoding']) expect(answer.header(name), name).to.equal(undefined);
          } else {
            expect([answer.status, answer.text]).to.deep.equal([status, status === 304 ? '' : (await ask(path)).text]);
          }
        });
      }
    });
  }
}

/** The body of an answer without its content coding. */
function decoded(answer: Answer): Buffer {
  const coding = answer.header('Content-Encoding');
  if (coding === undefined) return answer.body;
  return coding === 'br' ? brotliDecompressSync(answer.body) : gunzipSync(answer.body);
}
