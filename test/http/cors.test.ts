import { expect } from 'chai';
import type { HttpInterfaceOptions } from '../../src/adapters/http/http-interface-options.js';
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
    const answer = await preflight(SHOP);
    expect([answer.status, await answer.text(), allowed(answer)]).to.deep.equal([204, '', SHOP]);
    expect(answer.headers.get('Access-Control-Allow-Methods')?.split(', ')).to.have.members(['GET', 'HEAD', 'POST']);
    expect(answer.headers.get('Access-Control-Allow-Headers')).to.equal(ASKED);
    expect(Number(answer.headers.get('Access-Control-Max-Age'))).to.be.greaterThan(0);
    expect(answer.headers.get('Cache-Control')).to.equal('no-store');
    const unwanted = ['Access-Control-Allow-Credentials', 'Content-Length'];
    expect(unwanted.filter((name) => answer.headers.has(name))).to.deep.equal([]);
  });

  it('answers a preflight for a path that does not exist, so that the page sees the 404', async () => {
    expect((await preflight(SHOP, { path: '/v1/nowhere' })).status).to.equal(204);
  });

  it('exposes the header fields that operations send, but those of which a page has no use', async () => {
    const { paths } = (await (await ask('/openapi.json')).json()) as Described;
    const responses = Object.values(paths).flatMap((item) => Object.values(item).map((each) => each.responses));
    const sent = new Set(
      responses.flatMap((each) => Object.values(each)).flatMap(({ headers }) => Object.keys(headers)),
    );
    for (const name of ['WWW-Authenticate', 'Allow']) sent.delete(name);
    const exposed = (await get('/v1/pets', SHOP)).headers.get('Access-Control-Expose-Headers');
    expect(exposed?.split(', ')).to.have.members([...sent]);
  });

  for (const [status, path, origin, key] of [
    [200, '/v1/pets', SHOP, KEY],
    [200, '/v1/pets', ADMIN, KEY],
    [401, '/v1/pets', SHOP, 'no-valid-key-at-all'],
    [404, '/v1/pets/1', SHOP, KEY],
    [404, '/nowhere', SHOP, KEY],
  ] as const) {
    it(`lets a page of ${origin} read the ${status} of ${path}`, async () => {
      const answer = await get(path, origin, key);
      expect([answer.status, allowed(answer)]).to.deep.equal([status, origin]);
    });
  }

  for (const origin of [OTHER, 'https://shop.example.evil', 'http://shop.example', 'null']) {
    it(`serves ${origin}, too, but does not let its pages read the answer`, async () => {
      const answer = await get('/v1/pets', origin);
      expect([answer.status, allowed(answer)]).to.deep.equal([200, null]);
    });
  }

  it('tells caches that answers differ by origin, allowed or not', async () => {
    for (const origin of [SHOP, OTHER]) expect((await get('/v1/pets', origin)).headers.get('Vary')).to.equal('Origin');
    expect((await get('/openapi.json', SHOP)).headers.get('Vary')).to.equal('Accept-Encoding, Origin');
  });

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
      const options: HttpInterfaceOptions = inMemory({ corsOrigins: [SHOP] });
      const port = await listenOnFreePort(createHttpServer(createHandler(options)));
      const headers = [['Origin', SHOP] as const, ['Access-Control-Request-Method', 'POST'] as const];
      const answers = [
        await request(port, 'OPTIONS', '/v1/pets', { headers }),
        await request(port, 'GET', '/v1/pets', { key: KEY, headers }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([204, 200]);
      for (const answer of answers) {
        expect(answer.header('Access-Control-Allow-Origin')).to.equal(SHOP);
        expect(answer.header('Vary')).to.equal('Origin');
      }
    });
  }
});

describe('CORS', () => {
  it('for all origins allows every origin with the same answers', async () => {
    const { preflight, get } = clientOf('*');
    for (const answer of [await preflight(SHOP), await get('/v1/pets', 'null')]) {
      expect([allowed(answer), answer.headers.get('Vary')]).to.deep.equal(['*', null]);
    }
  });

  it('for no origin answers a preflight like any other OPTIONS request, without a CORS header field', async () => {
    const { status, headers } = await clientOf().preflight(SHOP);
    expect(status).to.equal(401);
    expect([...headers.keys()].filter((name) => /^access-control-|^vary$/.test(name))).to.deep.equal([]);
  });

  for (const origin of [ADMIN, 'http://localhost:5173', 'http://[::1]:8080', 'capacitor://localhost', '*']) {
    it(`can allow ${origin}`, () => expect(() => clientOf(origin)).to.not.throw());
  }

  const REFUSED = ['/', ':443', ':99999', '/page'].map((end) => SHOP + end);
  for (const origin of [...REFUSED, 'https://Shop.example', 'https://*.example', 'shop.example', 'null', '']) {
    it(`cannot allow ${origin || 'an empty text'}`, () => {
      expect(() => clientOf(SHOP, origin)).to.throw(TypeError, 'corsOrigins');
    });
  }
});
