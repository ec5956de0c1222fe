import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { BUNDLE_PATH } from '../../support/reference-files.js';
import { createPets, type PetText } from '../expectations.js';
import { get, request, type GetService, type RequestOptions, type Service } from '../service.js';

/** A request below the base path, or below the path of the mount. The tests replace `ID` by the id of an animal. */
type Asked = readonly [method: string, path: string, options?: RequestOptions];

/** One request for each kind of answer that the application gives under its base path to a client with a key. */
export const UNDER_BASE_PATH: Readonly<Record<string, Asked>> = {
  'a list': ['GET', '/pets?limit=1'],
  'an empty list': ['GET', '/pets?after=9223372036854775807'],
  'a new animal': ['POST', '/pets', { body: '{"name":"Rex","categoryId":7}' }],
  'an animal': ['GET', '/pets/ID'],
  'a missing animal': ['GET', '/pets/0'],
  'an identifier that is none': ['GET', '/pets/x'],
  'an invalid parameter': ['GET', '/pets?limit=0'],
  'a missing body': ['POST', '/pets'],
  'an invalid body': ['POST', '/pets', { body: '{}' }],
  'a broken body': ['POST', '/pets', { body: '{' }],
  'a body that is too large': ['POST', '/pets', { body: ' '.repeat(65_537) }],
  'another media type': ['POST', '/pets', { body: 'x', contentType: 'text/plain' }],
  'an unknown path': ['GET', '/nowhere'],
  'the base path itself': ['GET', ''],
  'a path in the wrong case': ['GET', '/Pets'],
  'an unknown method': ['PUT', '/pets'],
  OPTIONS: ['OPTIONS', '/pets'],
};

const WITHOUT_KEY: typeof UNDER_BASE_PATH = {
  'a missing key': ['GET', '/pets', { authorization: null }],
  'a wrong key': ['GET', '/pets', { authorization: 'Bearer wrong' }],
};

const BESIDE: typeof UNDER_BASE_PATH = {
  'an unknown path beside the base path': ['GET', '/nowhere'],
  liveness: ['GET', '/livez'],
  readiness: ['GET', '/readyz'],
  'the OpenAPI document': ['GET', '/openapi.json'],
};

/** Files that are not JSON, in each coding. */
const FILES: typeof UNDER_BASE_PATH = Object.fromEntries(
  ['/docs', BUNDLE_PATH].flatMap((path) =>
    ['identity', 'gzip', 'br'].map((coding) => [
      `${path} in ${coding}`,
      ['GET', path, { headers: [['Accept-Encoding', coding]] }],
    ]),
  ),
);

/** The tests of the header fields that answers of every kind carry, and that HEAD is answered as GET is, without the body. */
export function declareHeaders(service: GetService): void {
  let id: string;
  function declare(kinds: typeof UNDER_BASE_PATH, root: (service: Service) => string, caching?: RegExp): void {
    for (const [what, [method, path, options]] of Object.entries(kinds)) {
      const ask = async (other: string, more?: RequestOptions): Promise<Answer> =>
        request(service(), other, root(service()) + path.replace('ID', id), { ...options, ...more });

      if (caching !== undefined) {
        it(`say what the body is, have the request's id, and do not reveal the software: to or with ${what}`, async () => {
          const answer = await ask(method, { headers: [['X-Request-Id', 'my.own_id-1']] });
          expect(answer.header('Content-Type')).to.equal('application/json; charset=utf-8');
          expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
          expect(answer.header('Transfer-Encoding')).to.equal(undefined);
          expect(answer.json).not.to.equal(undefined);
          expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
          expect(answer.header('X-Request-Id')).to.equal('my.own_id-1');
          expect(answer.header('Cache-Control')).to.match(caching);
          // Frameworks add weak tags; the tags of the interface are strong.
          const revealing = /^(Server:|X-Powered-By:|ETag: W\/)/i;
          expect(answer.headers.filter((field) => revealing.test(field.join(': ')))).to.deep.equal([]);
        });
      }

      if (method !== 'GET') continue;
      it(`are those of GET for HEAD, Content-Length included, without the body: ${what}`, async () => {
        const [head, full] = [await ask('HEAD'), await ask('GET')];
        expect(comparable(head)).to.deep.equal(comparable(full));
        expect(head.header('Content-Length')).to.equal(String(full.body.length));
      });
    }
  }

  describe('headers of every answer', () => {
    before(async () => {
      // Two, so that a list of one goes on.
      const [pet] = await createPets(service(), 2);
      ({ id } = pet as PetText);
    });

    declare({ ...UNDER_BASE_PATH, ...WITHOUT_KEY }, ({ basePath }) => basePath, /^no-store$/);
    declare(BESIDE, ({ mountPath }) => mountPath, /./);
    declare(FILES, ({ mountPath }) => mountPath);

    it('carry no field of CORS, because no origin is configured', async () => {
      const { headers } = await get(service(), '/pets', { headers: [['Origin', 'https://shop.example']] });
      expect(headers.filter(([name]) => /^Access-Control-/i.test(name))).to.deep.equal([]);
    });

    it('are those of JSON without a coding, whatever types and encodings the client accepts', async () => {
      const headers = [
        ['Accept-Encoding', 'gzip, br'],
        ['Accept', 'text/html, application/xml;q=0.9, application/json;q=0'],
      ] as const;
      const answer = await get(service(), '/pets', { headers });
      expect([answer.status, answer.header('Content-Encoding')]).to.deep.equal([200, undefined]);
      expect(answer.json).to.be.an('array');
    });
  });
}

function comparable({ status, headers }: Answer): unknown {
  const fields = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return { status, fields: fields.filter((field) => !/^(date|x-request-id):/.test(field)).sort() };
}
