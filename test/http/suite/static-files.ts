import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { Answer, Header } from '../../support/answer.js';
import { BUNDLE_PATH, ICON_PATH, REFERENCE_FILES } from '../../support/reference-files.js';
import { expectError } from '../expectations.js';
import { getBeside, request, type GetService } from '../service.js';

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
  ['in capital letters', ['GZIP'], 'gzip'],
  ['that prefers gzip', ['br;q=0.5, gzip;q=0.8'], 'gzip'],
  ['that refuses brotli', ['br;q=0, gzip'], 'gzip'],
  ['of anything', ['*'], 'br'],
  ['of anything but brotli', ['*, br;q=0'], 'gzip'],
  ['of nothing', ['*;q=0'], undefined],
  ['of identity alone', ['identity'], undefined],
  ['that prefers identity', ['gzip;q=0.5, identity'], undefined],
  ['of another coding', ['deflate'], undefined],
  ['that is empty', [''], undefined],
  ['that is not well-formed', [';;q=,gzip;q=x'], undefined],
  ['in two fields', ['deflate', 'gzip'], 'gzip'],
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

      it(`answer If-None-Match for ${path} to HEAD with 304, too`, async () => {
        const headers = [['If-None-Match', await tagOf()]] as const;
        const target = service().mountPath + path;
        const answer = await request(service(), 'HEAD', target, { authorization: null, headers });
        expect([answer.status, answer.header('ETag')]).to.deep.equal([304, await tagOf()]);
      });

      it(`answer HEAD for ${path} as GET in each coding`, async () => {
        const target = service().mountPath + path;
        for (const accepted of ['gzip', 'br', 'identity']) {
          const options = { authorization: null, headers: [['Accept-Encoding', accepted]] as const };
          const [head, full] = [
            await request(service(), 'HEAD', target, options),
            await request(service(), 'GET', target, options),
          ];
          for (const name of ['Content-Length', 'Content-Encoding', 'Content-Type', 'ETag', 'Vary', 'Cache-Control']) {
            expect(head.header(name), `${accepted} ${name}`).to.equal(full.header(name));
          }
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
    describe(`If-None-Match for ${path}`, () => {
      const tagOf = async (...headers: Header[]): Promise<string> => (await ask(path, ...headers)).header('ETag') ?? '';

      it('has a strong entity tag to compare with, a different one for each coding', async () => {
        const tags = [await tagOf(), await tagOf(['Accept-Encoding', 'gzip'])];
        for (const tag of tags) expect(tag).to.match(/^"[0-9a-f]{32}"$/);
        expect(tags[0]).not.to.equal(tags[1]);
      });

      for (const [what, of] of [
        ['its tag', (tag: string) => tag],
        ['its tag, marked as weak', (tag: string) => `W/${tag}`],
        ['its tag among others', (tag: string) => `"a", W/"b,c" ,${tag}`],
        ['any tag', () => '*'],
      ] as const) {
        it(`is answered with 304 and no body if it is ${what}`, async () => {
          const answer = await ask(path, ['If-None-Match', of(await tagOf())]);
          expect([answer.status, answer.text]).to.deep.equal([304, '']);
        });
      }

      it('is answered as without it if it is the tag of something else', async () => {
        const answer = await ask(path, ['If-None-Match', '"a", "b"']);
        expect([answer.status, answer.text]).to.deep.equal([200, (await ask(path)).text]);
      });

      it('is answered with 200 if it is the tag of a coding that the client does not accept', async () => {
        const answer = await ask(path, ['If-None-Match', await tagOf(['Accept-Encoding', 'gzip'])]);
        expect(answer.status).to.equal(200);
      });
    });

    describe(`If-Match for ${path}`, () => {
      const tagOf = async (): Promise<string> => (await ask(path)).header('ETag') ?? '';

      for (const [what, of] of [
        ['its tag', (tag: string) => [tag]],
        ['its tag among others', (tag: string) => [`"a", W/"b,c" ,${tag}`]],
        ['its tag in the second of two fields', (tag: string) => ['"a"', tag]],
        ['any tag', () => ['*']],
      ] as const) {
        it(`is true if it is ${what}: the answer is as without it`, async () => {
          const fields = of(await tagOf()).map((value) => ['If-Match', value] as const);
          const answer = await ask(path, ...fields);
          expect([answer.status, answer.body.equals((await ask(path)).body)]).to.deep.equal([200, true]);
        });
      }

      for (const [what, of] of [
        ['the tag of something else', () => '"a", "b"'],
        ['its tag, marked as weak', (tag: string) => `W/${tag}`],
        ['its tag without quotes', (tag: string) => tag.slice(1, -1)],
        ['empty', () => ''],
        ['a star among tags', () => '"a", *'],
      ] as const) {
        it(`is false if it is ${what}: the answer is 412`, async () => {
          const answer = await ask(path, ['If-Match', of(await tagOf())]);
          expectError(answer, 412, 'precondition_failed');
          for (const name of ['ETag', 'Content-Encoding']) expect(answer.header(name), name).to.equal(undefined);
        });
      }

      it('is false if it is the tag of a coding that the client does not accept', async () => {
        const gzip = (await ask(path, ['Accept-Encoding', 'gzip'])).header('ETag') ?? '';
        expectError(await ask(path, ['If-Match', gzip]), 412, 'precondition_failed');
      });

      it('comes before If-None-Match', async () => {
        const tag = await tagOf();
        const isNew = ['If-None-Match', tag] as const;
        expectError(await ask(path, isNew, ['If-Match', '"a"']), 412, 'precondition_failed');
        expect((await ask(path, isNew, ['If-Match', tag])).status).to.equal(304);
        expect((await ask(path, ['If-None-Match', '"a"'], ['If-Match', tag])).status).to.equal(200);
      });

      it('is answered in the same way for HEAD', async () => {
        const options = { authorization: null, headers: [['If-Match', '"a"']] } as const;
        expect((await request(service(), 'HEAD', service().mountPath + path, options)).status).to.equal(412);
      });
    });

    it(`tells caches that ${path} differs by the codings that a client accepts`, async () => {
      for (const accepted of ['gzip', 'identity']) {
        expect((await ask(path, ['Accept-Encoding', accepted])).header('Vary')).to.equal('Accept-Encoding');
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
