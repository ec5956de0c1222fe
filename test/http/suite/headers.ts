import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { BUNDLE_PATH } from '../../support/reference-files.js';
import { createPets, type PetText } from '../expectations.js';
import { get, request, type GetService, type RequestOptions } from '../service.js';

/** A request, and the status of its answer. `BASE` stands for the base path, `ID` for the id of an animal. */
type Asked = readonly [status: number, method: string, path: string, options?: RequestOptions];

const TOO_LARGE = ' '.repeat(65_537);
const WITHOUT_KEY = { authorization: null } as const;

/** Requests whose answers are JSON. */
const JSON_ANSWERS: Readonly<Record<string, Asked>> = {
  'a list': [200, 'GET', 'BASE/pets?limit=1'],
  'an animal': [200, 'GET', 'BASE/pets/ID'],
  'a new animal': [201, 'POST', 'BASE/pets', { body: '{"name":"Rex","categoryId":7}' }],
  'an invalid body': [400, 'POST', 'BASE/pets', { body: '{}' }],
  'a missing key': [401, 'GET', 'BASE/pets/ID', WITHOUT_KEY],
  'a missing key, before too many chunks': [
    401,
    'POST',
    'BASE/pets',
    { ...WITHOUT_KEY, body: TOO_LARGE, chunked: true },
  ],
  'a missing animal': [404, 'GET', 'BASE/pets/0'],
  'an unknown path beside the base path': [404, 'GET', '/nowhere', WITHOUT_KEY],
  'an unknown method': [405, 'PUT', 'BASE/pets'],
  'a body that is too large': [413, 'POST', 'BASE/pets', { body: TOO_LARGE }],
  readiness: [200, 'GET', '/readyz', WITHOUT_KEY],
  'the OpenAPI document': [200, 'GET', '/openapi.json', WITHOUT_KEY],
};

/** Files that are not JSON, in each coding, and those that the client has. */
const FILES: typeof JSON_ANSWERS = Object.fromEntries(
  ['/docs', BUNDLE_PATH].flatMap((path) => [
    [`${path} as it is`, [200, 'GET', path, { ...WITHOUT_KEY }]],
    [`${path} in gzip`, [200, 'GET', path, { ...WITHOUT_KEY, headers: [['Accept-Encoding', 'gzip']] }]],
    [`${path}, known`, [304, 'GET', path, { ...WITHOUT_KEY, headers: [['If-None-Match', '*']] }]],
  ]),
);

/** The tests of what `fetch` hides of header fields: how often each is there, and the length of an answer to HEAD. */
export function declareHeaders(service: GetService): void {
  describe('the header fields of every answer', () => {
    let id: string;
    before(async () => {
      // Two, so that a list of one goes on.
      const [pet] = await createPets(service(), 2);
      ({ id } = pet as PetText);
    });

    const ask = async ([, method, path, options]: Asked, other = method): Promise<Answer> => {
      const { mountPath, basePath } = service();
      const target = path.startsWith('BASE') ? path.replace('BASE', basePath).replace('ID', id) : mountPath + path;
      const headers = [...(options?.headers ?? []), ['X-Request-Id', 'my.own_id-1'] as const];
      return request(service(), other, target, { ...options, headers });
    };

    for (const [what, asked] of Object.entries(JSON_ANSWERS)) {
      it(`are there once, and do not reveal the software: ${what}`, async () => {
        const answer = await ask(asked);
        expect(answer.status, answer.text).to.equal(asked[0]);
        expect(answer.header('Content-Type')).to.equal('application/json; charset=utf-8');
        expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
        expect(answer.header('Transfer-Encoding')).to.equal(undefined);
        expect(answer.header('X-Request-Id')).to.equal('my.own_id-1');
        const names = answer.headers.map(([name]) => name.toLowerCase());
        expect(new Set(names).size).to.equal(names.length);
        // Frameworks add weak tags; the tags of the interface are strong.
        const revealing = /^(Server:|X-Powered-By:|ETag: W\/)/i;
        expect(answer.headers.filter((field) => revealing.test(field.join(': ')))).to.deep.equal([]);
      });
    }

    for (const [what, asked] of Object.entries({ ...JSON_ANSWERS, ...FILES })) {
      if (asked[1] !== 'GET') continue;
      it(`are those of GET for HEAD, Content-Length included: ${what}`, async () => {
        const [head, full] = [await ask(asked, 'HEAD'), await ask(asked)];
        expect(full.status).to.equal(asked[0]);
        expect(comparable(head)).to.deep.equal(comparable(full));
        expect(head.header('Content-Length')).to.equal(asked[0] === 304 ? undefined : String(full.body.length));
      });
    }

    it('have none of CORS, because no origin is configured', async () => {
      const { headers } = await get(service(), '/pets', { headers: [['Origin', 'https://shop.example']] });
      expect(headers.filter(([name]) => /^Access-Control-/i.test(name))).to.deep.equal([]);
    });
  });
}

function comparable({ status, headers }: Answer): unknown {
  const fields = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return { status, fields: fields.filter((field) => !field.startsWith('date:')).sort() };
}
