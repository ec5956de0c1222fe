import { expect } from 'chai';
import type { Answer, Header } from '../../support/answer.js';
import { BUNDLE_PATH } from '../../support/reference-files.js';
import { createPets, type PetText } from '../expectations.js';
import { get, request, type GetService, type RequestOptions } from '../service.js';

/** A request below the base path, or below the path of the mount, and the status of its answer. `ID` stands for the id of an animal. */
type Asked = readonly [status: number, method: string, path: string, options?: RequestOptions];

const TOO_LARGE = ' '.repeat(65_537);

/** One request for each kind of answer that the application gives under its base path to a client with a key. */
export const UNDER_BASE_PATH: Readonly<Record<string, Asked>> = {
  'a list': [200, 'GET', '/pets?limit=1'],
  'an empty list': [200, 'GET', '/pets?after=9223372036854775807'],
  'a new animal': [201, 'POST', '/pets', { body: '{"name":"Rex","categoryId":7}' }],
  'an animal': [200, 'GET', '/pets/ID'],
  'a missing animal': [404, 'GET', '/pets/0'],
  'an identifier that is none': [404, 'GET', '/pets/x'],
  'an invalid parameter': [400, 'GET', '/pets?limit=0'],
  'a missing body': [400, 'POST', '/pets'],
  'an invalid body': [400, 'POST', '/pets', { body: '{}' }],
  'a broken body': [400, 'POST', '/pets', { body: '{' }],
  'a body that is too large': [413, 'POST', '/pets', { body: TOO_LARGE }],
  'another media type': [415, 'POST', '/pets', { body: 'x', contentType: 'text/plain' }],
  'an unknown path': [404, 'GET', '/nowhere'],
  'a path behind that of an animal': [404, 'GET', '/pets/ID/'],
  'the base path itself': [404, 'GET', ''],
  'a path in the wrong case': [404, 'GET', '/Pets'],
  'an unknown method': [405, 'PUT', '/pets'],
  OPTIONS: [405, 'OPTIONS', '/pets'],
};

const WITHOUT_KEY: typeof UNDER_BASE_PATH = {
  'a missing key': [401, 'GET', '/pets', { authorization: null }],
  'a missing key, for an animal': [401, 'GET', '/pets/ID', { authorization: null }],
  'a missing key, before a body that is too large': [401, 'POST', '/pets', { authorization: null, body: TOO_LARGE }],
  'a missing key, before too many chunks': [
    401,
    'POST',
    '/pets',
    { authorization: null, body: TOO_LARGE, chunked: true },
  ],
  'a wrong key': [401, 'GET', '/pets', { authorization: 'Bearer wrong' }],
  'a wrong key, for an animal': [401, 'GET', '/pets/ID', { authorization: 'Bearer wrong' }],
};

/** The same outside the base path, where no key is needed. */
const BESIDE: typeof UNDER_BASE_PATH = {
  'an unknown path beside the base path': [404, 'GET', '/nowhere'],
  liveness: [200, 'GET', '/livez'],
  readiness: [200, 'GET', '/readyz'],
  'an unknown method beside the base path': [405, 'POST', '/livez'],
};

/** The fields that the answers of one status have, and no others. */
const FIELDS_OF = { 'WWW-Authenticate': 401, Allow: 405, Location: 201 };

/** Files that are not JSON, in each coding, and those that the client has. */
const FILES: typeof UNDER_BASE_PATH = Object.fromEntries(
  ['/docs', BUNDLE_PATH].flatMap((path) =>
    [['identity'], ['gzip'], ['gzip', '*']].map(([coding = '', tag]): [string, Asked] => {
      const headers: Header[] = [['Accept-Encoding', coding]];
      if (tag !== undefined) headers.push(['If-None-Match', tag]);
      return [`${path} in ${coding}${tag === undefined ? '' : ', known'}`, [tag ? 304 : 200, 'GET', path, { headers }]];
    }),
  ),
);

/** The tests of the header fields that answers of every kind carry, and that HEAD is answered as GET is, without the body. */
export function declareHeaders(service: GetService): void {
  let id: string;
  function declare(kinds: typeof UNDER_BASE_PATH, root: 'basePath' | 'mountPath', caching?: RegExp): void {
    for (const [what, [status, method, path, options]] of Object.entries(kinds)) {
      const ask = async (other: string): Promise<Answer> => {
        const headers = [...(options?.headers ?? []), ['X-Request-Id', 'my.own_id-1'] as const];
        const key = root === 'mountPath' ? { authorization: null } : {};
        return request(service(), other, service()[root] + path.replace('ID', id), { ...key, ...options, headers });
      };

      if (caching !== undefined) {
        it(`say what the body is, have the request's id, and do not reveal the software: to or with ${what}`, async () => {
          const answer = await ask(method);
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

        it(`are those of the status, and of a deprecated operation: to or with ${what}`, async () => {
          const answer = await ask(method);
          expect(answer.status, answer.text).to.equal(status);
          for (const [name, only] of Object.entries(FIELDS_OF)) {
            expect(answer.all(name), name).to.have.lengthOf(status === only ? 1 : 0);
          }
          const isDeprecated = /^\/pets\/[^/]+$/.test(path) && status !== 401;
          for (const name of ['Deprecation', 'Sunset']) {
            expect(answer.all(name), name).to.have.lengthOf(isDeprecated ? 1 : 0);
          }
        });
      }

      if (method !== 'GET') continue;
      it(`are those of GET for HEAD, Content-Length included, without the body: ${what}`, async () => {
        const [head, full] = [await ask('HEAD'), await ask('GET')];
        expect(comparable(head)).to.deep.equal(comparable(full));
        expect(head.header('Content-Length')).to.equal(status === 304 ? undefined : String(full.body.length));
      });
    }
  }

  describe('headers of every answer', () => {
    before(async () => {
      // Two, so that a list of one goes on.
      const [pet] = await createPets(service(), 2);
      ({ id } = pet as PetText);
    });

    declare({ ...UNDER_BASE_PATH, ...WITHOUT_KEY }, 'basePath', /^no-store$/);
    declare(BESIDE, 'mountPath', /^no-store$/);
    declare({ 'the OpenAPI document': [200, 'GET', '/openapi.json'] }, 'mountPath', /^no-cache$/);
    declare(FILES, 'mountPath');

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
  return { status, fields: fields.filter((field) => !field.startsWith('date:')).sort() };
}
