import { getRequestListener } from '@hono/node-server';
import { expect } from 'chai';
import Koa from 'koa';
import mount from 'koa-mount';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
import { createApp } from '../../src/adapters/http/koa/create-app.js';
import { createHttpServer, type RequestHandler } from '../../src/adapters/http/server/http-server.js';
import type { Answer } from '../support/answer.js';
import { inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { request, type RequestOptions } from '../support/request.js';

const SHOP = 'https://shop.example';
const ADMIN = 'https://admin.example:8443';
const OTHER = 'https://other.example';
const EXPOSED = ['Link', 'Location', 'X-Request-Id', 'Deprecation', 'Sunset', 'Retry-After', 'Idempotency-Replayed'];

/** Each transport, by the handler that it makes, and the path that the interface is mounted at. */
const TRANSPORTS: readonly (readonly [string, (options: HttpInterfaceOptions) => RequestHandler, string])[] = [
  ['the Koa application', (options) => createApp(options).callback(), ''],
  ['the Koa application, mounted', (options) => new Koa().use(mount('/shop', createApp(options))).callback(), '/shop'],
  ['the Fetch handler', (options) => getRequestListener(createFetchHandler(options)), ''],
];

for (const [title, createHandler, mountPath] of TRANSPORTS) {
  describe(`CORS of ${title}`, () => {
    let port: number;

    async function listen(corsOrigins: readonly string[]): Promise<void> {
      port = await listenOnFreePort(createHttpServer(createHandler(inMemory({ corsOrigins }))));
    }

    const send = async (method: string, path: string, options: RequestOptions): Promise<Answer> =>
      request(port, method, mountPath + path, options);

    const preflight = async (origin: string, path = '/v1/pets', method = 'OPTIONS', isAsked = true): Promise<Answer> =>
      send(method, path, {
        headers: [
          ['Origin', origin],
          ...(isAsked ? [['Access-Control-Request-Method', 'POST'] as const] : []),
          ['Access-Control-Request-Headers', 'authorization,content-type'],
        ],
      });

    const ofOrigin = async (method: string, path: string, origin: string, options: RequestOptions = {}) =>
      send(method, path, { key: KEY, headers: [['Origin', origin]], ...options });

    describe('for some origins', () => {
      before(async () => listen([SHOP, ADMIN]));

      it('answers a preflight without a key, and allows what the interface needs', async () => {
        const answer = await preflight(SHOP);
        expect([answer.status, answer.text]).to.deep.equal([204, '']);
        expect(answer.header('Access-Control-Allow-Origin')).to.equal(SHOP);
        expect(answer.header('Access-Control-Allow-Methods')?.split(', ')).to.have.members(['GET', 'HEAD', 'POST']);
        expect(answer.header('Access-Control-Allow-Headers')?.toLowerCase().split(', ')).to.have.members([
          'authorization',
          'content-type',
          'x-request-id',
          'idempotency-key',
          'traceparent',
          'tracestate',
          'baggage',
        ]);
        expect(Number(answer.header('Access-Control-Max-Age'))).to.be.greaterThan(0);
        expect(answer.header('Cache-Control')).to.equal('no-store');
        expect(answer.header('Content-Length')).to.equal(undefined);
      });

      it('answers a preflight for a path that does not exist, so that the page sees the 404', async () => {
        expect((await preflight(SHOP, '/v1/nowhere')).status).to.equal(204);
      });

      it('lets pages of each of these origins read the answers', async () => {
        for (const origin of [SHOP, ADMIN]) {
          const answer = await ofOrigin('GET', '/v1/pets', origin);
          expect(answer.status).to.equal(200);
          expect(answer.header('Access-Control-Allow-Origin')).to.equal(origin);
          expect(answer.header('Access-Control-Expose-Headers')?.split(', ')).to.have.members(EXPOSED);
        }
      });

      it('shows errors to the page too', async () => {
        for (const [path, key, status] of [
          ['/v1/pets', 'no-valid-key-at-all', 401],
          ['/v1/pets/1', KEY, 404],
          ['/v1/nowhere', KEY, 404],
          ['/v1/pets?limit=0', KEY, 400],
        ] as const) {
          const answer = await ofOrigin('GET', path, SHOP, { key });
          expect(answer.status).to.equal(status);
          expect(answer.header('Access-Control-Allow-Origin'), path).to.equal(SHOP);
        }
      });

      it('tells caches that answers differ by origin, allowed or not', async () => {
        for (const origin of [SHOP, OTHER]) {
          expect((await ofOrigin('GET', '/v1/pets', origin)).header('Vary')).to.equal('Origin');
        }
        // A value that has the name of the field.
        const headers = [['X-Request-Id', 'Vary']] as const;
        expect((await send('GET', '/v1/pets', { key: KEY, headers })).header('Vary')).to.equal('Origin');
      });

      it('also tells caches about answers that differ by the codings that a client accepts', async () => {
        expect((await ofOrigin('GET', '/docs', SHOP)).header('Vary')).to.equal('Accept-Encoding, Origin');
      });

      it('serves other origins too, but does not let their pages read the answer', async () => {
        for (const origin of [OTHER, 'https://shop.example.evil', 'http://shop.example', 'null']) {
          const answer = await ofOrigin('GET', '/v1/pets', origin);
          expect(answer.status).to.equal(200);
          expect(answer.header('Access-Control-Allow-Origin'), origin).to.equal(undefined);
        }
      });

      for (const [what, method, origin, isAsked] of [
        ['a preflight of another origin', 'OPTIONS', OTHER, true],
        ['an OPTIONS that is not a preflight', 'OPTIONS', SHOP, false],
        ['another method with the header fields of a preflight', 'PUT', SHOP, true],
      ] as const) {
        it(`treats ${what} like any other request`, async () => {
          expect((await preflight(origin, '/v1/pets', method, isAsked)).status).to.equal(401);
        });
      }

      it('never allows cookies', async () => {
        expect((await preflight(SHOP)).header('Access-Control-Allow-Credentials')).to.equal(undefined);
      });
    });

    describe('for all origins', () => {
      before(async () => listen(['*']));

      it('allows every origin with the same answers', async () => {
        for (const answer of [await preflight(SHOP), await ofOrigin('GET', '/v1/pets', 'null')]) {
          expect(answer.header('Access-Control-Allow-Origin')).to.equal('*');
          expect(answer.header('Vary')).to.equal(undefined);
        }
      });

      it('treats an OPTIONS without an origin like any other request', async () => {
        const headers = [['Access-Control-Request-Method', 'POST']] as const;
        expect((await send('OPTIONS', '/v1/pets', { headers })).status).to.equal(401);
      });
    });

    describe('for no origin', () => {
      before(async () => listen([]));

      it('answers a preflight like any other OPTIONS request, without a CORS header field', async () => {
        const answer = await preflight(SHOP);
        expect(answer.status).to.equal(401);
        expect(answer.headers.filter(([name]) => /^access-control-|^vary$/i.test(name))).to.deep.equal([]);
      });
    });
  });
}

describe('the option corsOrigins', () => {
  const make =
    (...corsOrigins: readonly string[]) =>
    () =>
      createApp(inMemory({ corsOrigins }));

  for (const origin of [SHOP, ADMIN, 'http://localhost:5173', 'http://[::1]:8080', 'capacitor://localhost', '*']) {
    it(`accepts ${origin}`, () => expect(make(origin)).to.not.throw());
  }

  for (const origin of [
    'https://shop.example/',
    'https://shop.example:443',
    'https://shop.example:99999',
    'https://Shop.example',
    'https://shop.example/page',
    'https://*.example',
    'shop.example',
    'null',
    '',
  ]) {
    it(`refuses ${origin || 'an empty text'}, alone and among others`, () => {
      for (const origins of [[origin], [SHOP, origin]]) expect(make(...origins)).to.throw(TypeError, 'corsOrigins');
    });
  }
});
