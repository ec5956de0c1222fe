import { expect } from 'chai';
import type { Header } from '../../support/answer.js';
import { expectError } from '../expectations.js';
import { get, post, type GetService } from '../service.js';

const WITHOUT_KEY = 'Bearer realm="animal-store"';
const MANY: readonly Header[] = Array.from({ length: 2500 }, () => ['a', ''] as const);

/** The tests of header sections that some servers would cut or fold before the application sees them. */
export function declareManyHeaders(service: GetService): void {
  const bearer = (): Header => ['Authorization', `Bearer ${service().key}`];

  describe('2,500 headers', () => {
    it('do not hide the key after them', async () => {
      const headers = [...MANY, bearer()];
      expect((await get(service(), '/pets?limit=1', { authorization: null, headers })).status).to.equal(200);
    });

    it('do not hide a second Authorization after them', async () => {
      const headers = [...MANY, ['authorization', 'Bearer wrong'] as const];
      const answer = await get(service(), '/pets?limit=1', { headers });
      expectError(answer, 401, 'unauthorized');
      expect(answer.header('WWW-Authenticate')).to.equal(WITHOUT_KEY);
    });

    it('do not hide a Content-Encoding after them', async () => {
      const headers = [...MANY, ['Content-Encoding', 'gzip'] as const];
      const answer = await post(service(), '{"name":"Rex","categoryId":7}', { headers });
      expectError(answer, 415, 'unsupported_media_type');
    });
  });

  describe('an empty Authorization', () => {
    for (const [where, headers] of Object.entries({
      'before the key': (): Header[] => [['Authorization', ''], bearer()],
      'after the key': (): Header[] => [bearer(), ['Authorization', '']],
    })) {
      it(`counts as a second one ${where}`, async () => {
        const answer = await get(service(), '/pets?limit=1', { authorization: null, headers: headers() });
        expectError(answer, 401, 'unauthorized');
        expect(answer.header('WWW-Authenticate')).to.equal(WITHOUT_KEY);
      });
    }
  });
}
