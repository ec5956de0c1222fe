import { getRequestListener } from '@hono/node-server';
import { expect } from 'chai';
import { createFetchHandler } from '../../src/adapters/http/fetch/create-fetch-handler.js';
import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
import { createHttpServer, type RequestHandler } from '../../src/adapters/http/server/http-server.js';
import { HANDLERS } from '../adapters/http/handlers.js';
import { fetchInMemory, inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { request } from '../support/request.js';

const SHOP = 'https://shop.example';
const ADMIN = 'https://admin.example:8443';
const OTHER = 'https://other.example';
const ASKED = 'authorization,content-type,sentry-trace,x-requested-with';

const listOf = ({ headers }: Response, name: string): string[] | undefined =>
  headers.get(name)?.toLowerCase().split(', ');
const allowed = ({ headers }: Response): string | null => headers.get('Access-Control-Allow-Origin');

/** The part of the OpenAPI document that says which header fields operations send. */
interface Described {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, { readonly headers: object }> }>>;
}

/** What asks an interface that allows these origins, a new one for each request. */
function clientOf(...corsOrigins: readonly string[]) {
  const ask: ReturnType<typeof fetchInMemory> = async (...request) => fetchInMemory({ corsOrigins })(...request);
  return {
    preflight: async (origin: string, path = '/v1/pets', method = 'OPTIONS', isAsked = true): Promise<Response> =>
      ask(path, {
        method,
        key: null,
        headers: {
          origin,
          ...(isAsked && { 'access-control-request-method': 'POST' }),
          'access-control-request-headers': ASKED,
        },
      }),
    get: async (path: string, origin: string, key = KEY): Promise<Response> => ask(path, { key, headers: { origin } }),
    ask,
  };
}

describe('CORS', () => {
  describe('for some origins', () => {
    const { preflight, get, ask } = clientOf(SHOP, ADMIN);

    it('answers a preflight without a key, and allows the methods of the path and what is asked for, but no cookies', async () => {
      const answer = await preflight(SHOP);
      expect([answer.status, await answer.text(), allowed(answer)]).to.deep.equal([204, '', SHOP]);
      expect(listOf(answer, 'Access-Control-Allow-Methods')).to.have.members(['get', 'head', 'post']);
      expect(answer.headers.get('Access-Control-Allow-Headers')).to.equal(ASKED);
      expect(Number(answer.headers.get('Access-Control-Max-Age'))).to.be.greaterThan(0);
      expect(answer.headers.get('Cache-Control')).to.equal('no-store');
      for (const name of ['Content-Length', 'Access-Control-Allow-Credentials']) {
        expect(answer.headers.has(name), name).to.equal(false);
      }
    });

    it('answers a preflight for a path that does not exist, so that the page sees the 404', async () => {
      expect((await preflight(SHOP, '/v1/nowhere')).status).to.equal(204);
    });

    it('lets pages of each of these origins read the answers', async () => {
      for (const origin of [SHOP, ADMIN]) {
        const answer = await get('/v1/pets', origin);
        expect([answer.status, allowed(answer)]).to.deep.equal([200, origin]);
      }
    });

    it('exposes the header fields that operations send, but those of which a page has no use', async () => {
      const { paths } = (await (await ask('/openapi.json')).json()) as Described;
      const responses = Object.values(paths).flatMap((item) => Object.values(item).map((each) => each.responses));
      const sent = responses.flatMap((each) => Object.values(each)).flatMap(({ headers }) => Object.keys(headers));
      const fields = new Set(sent.map((name) => name.toLowerCase()));
      for (const name of ['www-authenticate', 'allow']) fields.delete(name);
      expect(listOf(await get('/v1/pets', SHOP), 'Access-Control-Expose-Headers')).to.have.members([...fields]);
    });

    for (const [path, key, status] of [
      ['/v1/pets', 'no-valid-key-at-all', 401],
      ['/v1/pets/1', KEY, 404],
      ['/v1/nowhere', KEY, 404],
      ['/v1/pets?limit=0', KEY, 400],
    ] as const) {
      it(`shows errors to the page, too: ${status} of ${path}`, async () => {
        const answer = await get(path, SHOP, key);
        expect([answer.status, allowed(answer)]).to.deep.equal([status, SHOP]);
      });
    }

    it('tells caches that answers differ by origin, allowed or not', async () => {
      for (const origin of [SHOP, OTHER])
        expect((await get('/v1/pets', origin)).headers.get('Vary')).to.equal('Origin');
      // A value that has the name of the field.
      const answer = await ask('/v1/pets', { headers: { 'x-request-id': 'Vary' } });
      expect(answer.headers.get('Vary')).to.equal('Origin');
    });

    it('also tells caches about answers that differ by the codings that a client accepts', async () => {
      expect((await get('/docs', SHOP)).headers.get('Vary')).to.equal('Accept-Encoding, Origin');
    });

    for (const origin of [OTHER, 'https://shop.example.evil', 'http://shop.example', 'null']) {
      it(`serves ${origin}, too, but does not let its pages read the answer`, async () => {
        const answer = await get('/v1/pets', origin);
        expect([answer.status, allowed(answer)]).to.deep.equal([200, null]);
      });
    }

    for (const [what, method, origin, isAsked] of [
      ['a preflight of another origin', 'OPTIONS', OTHER, true],
      ['an OPTIONS that is not a preflight', 'OPTIONS', SHOP, false],
      ['another method with the header fields of a preflight', 'PUT', SHOP, true],
    ] as const) {
      it(`treats ${what} like any other request`, async () => {
        expect((await preflight(origin, '/v1/pets', method, isAsked)).status).to.equal(401);
      });
    }
  });

  describe('for all origins', () => {
    const { preflight, get, ask } = clientOf('*');

    it('allows every origin with the same answers', async () => {
      for (const answer of [await preflight(SHOP), await get('/v1/pets', 'null')]) {
        expect([allowed(answer), answer.headers.get('Vary')]).to.deep.equal(['*', null]);
      }
    });

    it('treats an OPTIONS without an origin like any other request', async () => {
      const headers = { 'access-control-request-method': 'POST' };
      expect((await ask('/v1/pets', { method: 'OPTIONS', key: null, headers })).status).to.equal(401);
    });
  });

  it('for no origin answers a preflight like any other OPTIONS request, without a CORS header field', async () => {
    const { status, headers } = await clientOf().preflight(SHOP);
    expect(status).to.equal(401);
    expect([...headers.keys()].filter((name) => /^access-control-|^vary$/.test(name))).to.deep.equal([]);
  });

  const TRANSPORTS: Record<string, (options: HttpInterfaceOptions) => RequestHandler> = {
    ...HANDLERS,
    'the Fetch handler': (options) => getRequestListener(createFetchHandler(options)),
  };
  for (const [title, createHandler] of Object.entries(TRANSPORTS)) {
    it(`answers a preflight and a request by ${title}`, async () => {
      const port = await listenOnFreePort(createHttpServer(createHandler(inMemory({ corsOrigins: [SHOP] }))));
      const origin = ['Origin', SHOP] as const;
      const headers = [origin, ['Access-Control-Request-Method', 'POST'] as const];
      const preflight = await request(port, 'OPTIONS', '/v1/pets', { headers });
      expect([preflight.status, preflight.text, preflight.header('Content-Length')]).to.deep.equal([
        204,
        '',
        undefined,
      ]);
      const answer = await request(port, 'GET', '/v1/pets', { key: KEY, headers: [origin] });
      const file = await request(port, 'GET', '/docs', { headers: [origin] });
      for (const each of [preflight, answer, file]) {
        expect(each.header('Access-Control-Allow-Origin')).to.equal(SHOP);
        expect(each.header('Vary')).to.equal(each === file ? 'Accept-Encoding, Origin' : 'Origin');
      }
    });
  }
});

describe('the option corsOrigins', () => {
  for (const origin of [SHOP, ADMIN, 'http://localhost:5173', 'http://[::1]:8080', 'capacitor://localhost', '*']) {
    it(`accepts ${origin}`, () => expect(() => fetchInMemory({ corsOrigins: [origin] })).to.not.throw());
  }

  const REFUSED = ['/', ':443', ':99999', '/page'].map((end) => SHOP + end);
  for (const origin of [...REFUSED, 'https://Shop.example', 'https://*.example', 'shop.example', 'null', '']) {
    it(`refuses ${origin || 'an empty text'}, alone and among others`, () => {
      for (const origins of [[origin], [SHOP, origin]]) {
        expect(() => fetchInMemory({ corsOrigins: origins })).to.throw(TypeError, 'corsOrigins');
      }
    });
  }
});
