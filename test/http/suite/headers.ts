import { expect } from 'chai';
import type { ReceivedResponse } from '../../support/received-response.js';
import { BUNDLE_PATH } from '../../support/reference-files.js';
import { createPets } from '../expectations.js';
import { get, request, type GetService, type RequestOptions } from '../service.js';

/** A request, and the status of its response. `BASE` stands for the base path. */
type Asked = readonly [status: number, method: string, path: string, options?: RequestOptions];

const TOO_LARGE = ' '.repeat(65_537);
const WITHOUT_KEY = { authorization: null } as const;

/** A request for each way in which a response comes about. */
const REQUESTS: readonly Asked[] = [
  [200, 'GET', 'BASE/pets?limit=1'],
  [201, 'POST', 'BASE/pets', { body: '{"name":"Rex","categoryId":7}' }],
  [401, 'GET', 'BASE/pets/1', WITHOUT_KEY],
  [401, 'POST', 'BASE/pets', { ...WITHOUT_KEY, body: TOO_LARGE, chunked: true }],
  [404, 'GET', 'BASE/pets/0'],
  [404, 'GET', '/nowhere', WITHOUT_KEY],
  [405, 'PUT', 'BASE/pets'],
  [413, 'POST', 'BASE/pets', { body: TOO_LARGE }],
  [200, 'GET', '/openapi.json', WITHOUT_KEY],
  [200, 'GET', '/docs', WITHOUT_KEY],
  [200, 'GET', BUNDLE_PATH, { ...WITHOUT_KEY, headers: [['Accept-Encoding', 'gzip']] }],
  [304, 'GET', BUNDLE_PATH, { ...WITHOUT_KEY, headers: [['If-None-Match', '*']] }],
];

/** The fields that the responses of one status have, and no others. */
const FIELDS_OF = { 'WWW-Authenticate': 401, Allow: 405, Location: 201 };

/** The tests of what `fetch` hides of header fields: how often each is there, and the length of a response to HEAD. */
export function declareHeaders(service: GetService): void {
  describe('the header fields of every response', () => {
    // Two, so that a list of one goes on.
    before(async () => createPets(service(), 2));

    const ask = async ([, method, path, options]: Asked, other = method): Promise<ReceivedResponse> => {
      const { mountPath, basePath } = service();
      const target = path.startsWith('BASE') ? path.replace('BASE', basePath) : mountPath + path;
      const headers = [...(options?.headers ?? []), ['X-Request-Id', 'my.own_id-1'] as const];
      return request(service(), other, target, { ...options, headers });
    };

    for (const asked of REQUESTS) {
      const [status, method, path] = asked;
      it(`are there once, and do not reveal the software: ${status} of ${method} ${path}`, async () => {
        const response = await ask(asked);
        expect(response.status, response.text).to.equal(status);
        expect(response.header('Content-Length')).to.equal(status === 304 ? undefined : String(response.body.length));
        expect(response.header('X-Content-Type-Options')).to.equal('nosniff');
        for (const [name, only] of Object.entries(FIELDS_OF)) {
          expect(response.header(name) !== undefined, name).to.equal(status === only);
        }
        expect(response.header('Transfer-Encoding')).to.equal(undefined);
        expect(response.header('X-Request-Id')).to.equal('my.own_id-1');
        const names = response.headers.map(([name]) => name.toLowerCase());
        expect(new Set(names).size).to.equal(names.length);
        // Frameworks add weak tags; the tags of the interface are strong.
        const revealing = /^(Server:|X-Powered-By:|ETag: W\/)/i;
        expect(response.headers.filter((field) => revealing.test(field.join(': ')))).to.deep.equal([]);
        if (method === 'GET') expect(comparable(await ask(asked, 'HEAD'))).to.deep.equal(comparable(response));
      });
    }

    it('have none of CORS, because no origin is configured', async () => {
      const { headers } = await get(service(), '/pets', { headers: [['Origin', 'https://shop.example']] });
      expect(headers.filter(([name]) => /^Access-Control-/i.test(name))).to.deep.equal([]);
    });
  });
}

/** The status and the header fields, which are the same for GET and HEAD. */
function comparable({ status, headers }: ReceivedResponse): unknown {
  const fields = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return { status, fields: fields.filter((field) => !field.startsWith('date:')).sort() };
}
