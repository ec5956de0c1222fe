import { expect } from 'chai';
import type { Answer } from '../../support/answer.js';
import { get, request, type GetService, type Service } from '../service.js';
import { APPLICATION_ANSWERS, REFUSALS } from './answers.js';

type Ask = (service: Service) => Promise<Answer>;

/** The tests of the header fields that answers of every kind carry. */
function declareCommonHeaders(service: GetService, answers: Readonly<Record<string, Ask>>): void {
  for (const [what, ask] of Object.entries(answers)) {
    describe(`to or with ${what}`, () => {
      it('carries Content-Type: application/json; charset=utf-8', async () => {
        expect((await ask(service())).header('Content-Type')).to.equal('application/json; charset=utf-8');
      });

      it('carries the Content-Length of its body, and no Transfer-Encoding', async () => {
        const answer = await ask(service());
        expect(answer.header('Content-Length')).to.equal(String(answer.body.length));
        expect(answer.header('Transfer-Encoding')).to.equal(undefined);
        expect(answer.json).not.to.equal(undefined);
      });

      it('carries X-Content-Type-Options: nosniff', async () => {
        expect((await ask(service())).header('X-Content-Type-Options')).to.equal('nosniff');
      });

      it('carries an X-Request-Id', async () => {
        expect((await ask(service())).header('X-Request-Id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
      });

      it('does not reveal the software behind it', async () => {
        const { headers } = await ask(service());
        // Frameworks add weak tags; the tags of the interface are strong.
        const revealing = /^(Server:|X-Powered-By:|ETag: W\/)/i;
        expect(headers.filter((field) => revealing.test(field.join(': ')))).to.deep.equal([]);
      });
    });
  }
}

/** The tests of the headers that every answer of the application carries. */
export function declareHeaders(service: GetService): void {
  describe('headers of every answer', () => {
    declareCommonHeaders(service, APPLICATION_ANSWERS);

    it('carries no field of CORS, as no origin is allowed that is not configured', async () => {
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
    declareCommonHeaders(service, REFUSALS);
  });
}
