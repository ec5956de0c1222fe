import { expect } from 'chai';
import type { Header } from '../../support/answer.js';
import { get, type GetService, type Service } from '../service.js';

const ECHOED: Record<string, string> = {
  'one character': 'x',
  '128 characters': 'x'.repeat(128),
  'every character of the set': 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-',
};
const REPLACED: Record<string, string> = {
  nothing: '',
  '129 characters': 'x'.repeat(129),
  'a space': 'a b',
  'a letter that is not ASCII': 'a\u00e9',
};

/** The request id of the answer to a request with these header fields. */
async function answeredId(service: Service, ...headers: Header[]): Promise<string> {
  return (await get(service, '/pets?limit=1', { headers })).header('X-Request-Id') ?? '';
}

/** The tests that a transport keeps the fields `X-Request-Id` apart. */
export function declareRequestIdFields(service: GetService): void {
  const answered = async (...headers: Header[]): Promise<string> => answeredId(service(), ...headers);

  describe('X-Request-Id', () => {
    it("is the client's own whatever the case of the header's name", async () => {
      expect(await answered(['x-REQUEST-id', 'mine'])).to.equal('mine');
    });

    it('is a fresh one if the client sends two', async () => {
      for (const second of ['b2', 'a1', '']) {
        const fresh = await answered(['X-Request-Id', 'a1'], ['X-Request-Id', second]);
        expect(fresh).to.match(/^[A-Za-z0-9._-]{3,128}$/);
      }
    });
  });
}

/** The tests of `X-Request-Id`. */
export function declareRequestId(service: GetService): void {
  const answered = async (...headers: Header[]): Promise<string> => answeredId(service(), ...headers);

  describe('X-Request-Id', () => {
    for (const [what, id] of Object.entries(ECHOED)) {
      it(`is the client's own if that is ${what}`, async () => {
        expect(await answered(['X-Request-Id', id])).to.equal(id);
      });
    }

    for (const [what, id] of Object.entries(REPLACED)) {
      it(`is a fresh one if the client's is or has ${what}`, async () => {
        const fresh = await answered(['X-Request-Id', id]);
        expect(fresh)
          .to.match(/^[A-Za-z0-9._-]{1,128}$/)
          .and.not.to.equal(id);
        expect(id.startsWith(fresh)).to.equal(false);
      });
    }

    it('is a fresh one for each request without one', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, async () => answered()));
      expect(new Set(ids).size).to.equal(20);
    });
  });
}
