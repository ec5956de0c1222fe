import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { get, request, type GetService, type RequestOptions, type Service } from '../service.js';
import { BESIDE, REFUSALS, UNDER_BASE_PATH } from './answers.js';

type Ask = (service: Service, options?: RequestOptions) => Promise<Answer>;

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
