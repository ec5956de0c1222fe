import { expect } from 'chai';
import { createHttpServer } from '../../src/adapters/http/server/http-server.js';
import { HANDLERS } from '../adapters/http/handlers.js';
import { fetchInMemory, inMemory, KEY } from '../support/in-memory-interface.js';
import { listenOnFreePort } from '../support/listen-on-free-port.js';
import { request } from '../support/request.js';

const SHOP = 'https://shop.example';
const ADMIN = 'https://admin.example:8443';
const OTHER = 'https://other.example';
const ASKED = 'authorization,content-type,sentry-trace,x-requested-with';

/** The part of the OpenAPI document that says which header fields operations send. */
interface Described {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, { readonly headers: object }> }>>;
}

const allowed = ({ headers }: Response): string | null => headers.get('Access-Control-Allow-Origin');

/** What asks an interface that allows these origins. */
function clientOf(...corsOrigins: readonly string[]) {
  const ask = fetchInMemory({ corsOrigins });
  return {
    ask,
    get: async (path: string, origin: string, key = KEY): Promise<Response> => ask(path, { key, headers: { origin } }),
    preflight: async (
      origin: string,
      { path = '/v1/pets', method = 'OPTIONS', asks = true } = {},
    ): Promise<Response> => {
      const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': ASKED };
      return ask(path, { method, key: null, headers: { origin, ...(asks && asked) } });
    },
  };
}

describe('CORS for some origins', () => {
  const { preflight, get, ask } = clientOf(SHOP, ADMIN);

  it('answers a preflight without a key, and allows the methods of the path and the fields asked for, but no cookies', async () => {
    const response = await preflight(SHOP);
    expect([response.status, await response.text(), allowed(response)]).to.deep.equal([204, '', SHOP]);
    expect(response.headers.get('Access-Control-Allow-Methods')?.split(', ')).to.have.members(['GET', 'HEAD', 'POST']);
    expect(response.headers.get('Access-Control-Allow-Headers')).to.equal(ASKED);
    expect(Number(response.headers.get('Access-Control-Max-Age'))).to.be.greaterThan(0);
    expect(response.headers.get('Cache-Control')).to.equal('no-store');
    const unwanted = ['Access-Control-Allow-Credentials', 'Content-Length'];
    expect(unwanted.filter((name) => response.headers.has(name))).to.deep.equal([]);
  });

  it('answers a preflight for a path that does not exist, so that the page sees the 404', async () => {
    const { status, headers } = await preflight(SHOP, { path: '/v1/nowhere' });
    expect([status, headers.get('Access-Control-Allow-Methods')]).to.deep.equal([204, null]);
  });

  it('exposes the header fields that operations send, but those of which a page has no use', async () => {
    const { paths } = (await (await ask('/openapi.json')).json()) as Described;
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    const responses = operations.flatMap((each) => Object.values(each.responses));
    const sent = new Set(responses.flatMap(({ headers }) => Object.keys(headers)));
    for (const name of ['WWW-Authenticate', 'Allow']) sent.delete(name);
    const exposed = (await get('/v1/pets', SHOP)).headers.get('Access-Control-Expose-Headers');
    expect(exposed?.split(', ')).to.have.members([...sent]);
  });

  for (const [origin, readable] of [
    [SHOP, SHOP],
    [ADMIN, ADMIN],
    [OTHER, null],
    ['https://shop.example.evil', null],
    ['http://shop.example', null],
    ['null', null],
  ] as const) {
    it(`serves ${origin}, and ${readable === null ? 'does not let' : 'lets'} its pages read every response`, async () => {
      for (const [status, path, key] of [
        [200, '/v1/pets', KEY],
        [401, '/v1/pets', 'no-valid-key-at-all'],
        [404, '/v1/pets/1', KEY],
        [404, '/nowhere', KEY],
      ] as const) {
        const response = await get(path, origin, key);
        expect([response.status, allowed(response), response.headers.get('Vary')]).to.deep.equal([
          status,
          readable,
          'Origin',
        ]);
      }
    });
  }

  for (const [what, origin, options] of [
    ['a preflight of another origin', OTHER, {}],
    ['an OPTIONS that is not a preflight', SHOP, { asks: false }],
    ['another method with the header fields of a preflight', SHOP, { method: 'PUT' }],
  ] as const) {
    it(`treats ${what} like any other request`, async () => {
      expect((await preflight(origin, options)).status).to.equal(401);
    });
  }

  for (const [title, createHandler] of Object.entries(HANDLERS)) {
    it(`works by ${title}`, async () => {
      const port = await listenOnFreePort(createHttpServer(createHandler(inMemory({ corsOrigins: [SHOP] }))));
      const headers = [['Origin', SHOP] as const, ['Access-Control-Request-Method', 'POST'] as const];
      for (const [method, path, status, vary] of [
        ['OPTIONS', '/v1/pets', 204, 'Origin'],
        ['GET', '/openapi.json', 200, 'Accept-Encoding, Origin'],
      ] as const) {
        const response = await request(port, method, path, { headers });
        expect([response.status, response.header('Access-Control-Allow-Origin')]).to.deep.equal([status, SHOP]);
        expect(response.all('Vary').join(', ')).to.equal(vary);
      }
    });
  }
});

describe('CORS', () => {
  it('for all origins allows every origin with the same responses', async () => {
    const { preflight, get } = clientOf('*');
    for (const response of [await preflight(SHOP), await get('/v1/pets', 'null')]) {
      expect([allowed(response), response.headers.get('Vary')]).to.deep.equal(['*', null]);
    }
  });

  it('for no origin answers a preflight like any other OPTIONS request, without a CORS header field', async () => {
    const { status, headers } = await clientOf().preflight(SHOP);
    expect(status).to.equal(401);
    expect([...headers.keys()].filter((name) => /^access-control-|^vary$/.test(name))).to.deep.equal([]);
  });

  it('can allow an origin as browsers send it, or all', () => {
    for (const origin of [ADMIN, 'http://localhost:5173', 'http://[::1]:8080', 'capacitor://localhost', '*']) {
      expect(() => clientOf(origin), origin).to.not.throw();
    }
  });

  it('cannot allow anything else', () => {
    const almost = ['/', ':443', ':99999', '/page'].map((end) => SHOP + end);
    for (const origin of [...almost, 'https://Shop.example', 'https://*.example', 'shop.example', 'null', '']) {
      expect(() => clientOf(SHOP, origin), origin).to.throw(TypeError, 'corsOrigins');
    }
  });
});
