import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { onConnection } from '../../support/raw-connection.js';
import { createPet } from '../expectations.js';
import {
  get,
  getBeside,
  post,
  request,
  requestBytes,
  type GetService,
  type RequestOptions,
  type Service,
} from '../service.js';

type Ask = (service: Service, options?: RequestOptions) => Promise<Answer>;

async function raw(service: Service, bytes: string | Uint8Array): Promise<Answer> {
  return onConnection(service.port, async (connection) => {
    connection.send(bytes);
    return connection.receive();
  });
}

/** One request for each kind of answer that the application gives under its base path; each takes further headers. */
const UNDER_BASE_PATH: Readonly<Record<string, Ask>> = {
  'a list': async (service, options) => get(service, '/pets?limit=1', options),
  'an empty list': async (service, options) => get(service, '/pets?after=9223372036854775807', options),
  'a new animal': async (service, options) => post(service, '{"name":"Rex","categoryId":7}', options),
  'an animal': async (service, options) => get(service, `/pets/${(await createPet(service)).id}`, options),
  'an invalid parameter': async (service, options) => get(service, '/pets?limit=0', options),
  'an invalid body': async (service, options) => post(service, '{}', options),
  'a broken body': async (service, options) => post(service, '{', options),
  'a missing key': async (service, options) => get(service, '/pets', { ...options, authorization: null }),
  'a wrong key': async (service, options) => get(service, '/pets', { ...options, authorization: 'Bearer wrong' }),
  'a missing animal': async (service, options) => get(service, '/pets/0', options),
  'an unknown path': async (service, options) => get(service, '/nowhere', options),
  'an unknown method': async (service, options) => request(service, 'PUT', `${service.basePath}/pets`, options),
  'a body that is too large': async (service, options) => post(service, ' '.repeat(65_537), options),
  'another media type': async (service, options) => post(service, 'x', { ...options, contentType: 'text/plain' }),
};

/** The same outside the base path. */
const BESIDE: Readonly<Record<string, Ask>> = {
  'an unknown path beside the base path': async (service, options) => getBeside(service, '/nowhere', options),
  liveness: async (service, options) => getBeside(service, '/livez', options),
  readiness: async (service, options) => getBeside(service, '/readyz', options),
  'the OpenAPI document': async (service, options) => getBeside(service, '/openapi.json', options),
};

/** One request for each kind of answer that the server gives before a request reaches the application. */
const REFUSALS: Readonly<Record<string, (service: Service) => Promise<Answer>>> = {
  'bytes that are not HTTP': async (service) => raw(service, 'garbage\r\n\r\n'),
  'a missing Host': async (service) => raw(service, 'GET /livez HTTP/1.1\r\n\r\n'),
  'headers that are too large': async (service) =>
    raw(service, requestBytes(service, 'GET', '/livez', { headers: [['X', 'x'.repeat(20_000)]] })),
};

/** The tests of the header fields that answers of every kind carry. */
function declareCommonHeaders(
  service: GetService,
  answers: Readonly<Record<string, Ask>>,
  requestId: RegExp,
  caching = /./,
): void {
  for (const [what, ask] of Object.entries(answers)) {
    it(`say what the body is, have the request's id, and do not reveal the software: to or with ${what}`, async () => {
      const answer = await ask(service(), { headers: [['X-Request-Id', 'my.own_id-1']] });
      expect(answer.header('Content-Type')).to.equal('application/json; charset=utf-8');
      expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
      expect(answer.header('Transfer-Encoding')).to.equal(undefined);
      expect(answer.json).not.to.equal(undefined);
      expect(answer.header('X-Content-Type-Options')).to.equal('nosniff');
      expect(answer.header('X-Request-Id')).to.match(requestId);
      expect(answer.header('Cache-Control')).to.match(caching);
      // Frameworks add weak tags; the tags of the interface are strong.
      const revealing = /^(Server:|X-Powered-By:|ETag: W\/)/i;
      expect(answer.headers.filter((field) => revealing.test(field.join(': ')))).to.deep.equal([]);
    });
  }
}

/** The tests of the headers that every answer of the application carries. */
export function declareHeaders(service: GetService): void {
  describe('headers of every answer', () => {
    declareCommonHeaders(service, UNDER_BASE_PATH, /^my\.own_id-1$/, /^no-store$/);
    declareCommonHeaders(service, BESIDE, /^my\.own_id-1$/);

    it('carries no field of CORS, because no origin is configured', async () => {
      const { headers } = await get(service(), '/pets', { headers: [['Origin', 'https://shop.example']] });
      expect(headers.filter(([name]) => /^Access-Control-/i.test(name))).to.deep.equal([]);
    });

    it('does not compress bodies, whatever encodings the client accepts', async () => {
      const headers = [['Accept-Encoding', 'gzip, br']] as const;
      const answer = await request(service(), 'GET', `${service().basePath}/pets`, { headers });
      expect(answer.header('Content-Encoding')).to.equal(undefined);
      expect(answer.json).to.be.an('array');
    });

    it('answers JSON, whatever types the client accepts', async () => {
      const headers = [['Accept', 'text/html, application/xml;q=0.9, application/json;q=0']] as const;
      const answer = await request(service(), 'GET', `${service().basePath}/pets`, { headers });
      expect(answer.status).to.equal(200);
      expect(answer.json).to.be.an('array');
    });
  });
}

/** The tests of the header fields of answers that the server gives before a request reaches the application. */
export function declareHeadersOfRefusals(service: GetService): void {
  describe('headers of every refusal', () => {
    // The server makes its own id, because it does not read the fields of a refused request.
    declareCommonHeaders(service, REFUSALS, /^[A-Za-z0-9._-]{1,128}$/);
  });
}
