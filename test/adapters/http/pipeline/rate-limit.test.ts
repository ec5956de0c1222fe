import { expect } from 'chai';
import type { RateLimiter } from '../../../../src/adapters/http/pipeline/rate-limit.js';
import { fetchInMemory, type Sent } from '../../../support/in-memory-interface.js';

describe('a rate limiter behind the HTTP interface', () => {
  const taken: string[] = [];
  const errors: { readonly err?: unknown }[] = [];
  const exceeded: unknown[] = [];

  async function answerWith(consume: RateLimiter['consume'], path = '/v1/pets', sent: Sent = {}): Promise<Response> {
    taken.length = errors.length = exceeded.length = 0;
    const ask = fetchInMemory({
      rateLimiter: {
        async consume(keyName) {
          taken.push(keyName);
          return consume(keyName);
        },
      },
      log: { warn: () => undefined, error: (fields) => errors.push(fields) },
      onResponse: ({ limit }) => exceeded.push(limit),
    });
    return ask(path, sent);
  }

  const admit = async (): Promise<undefined> => undefined;

  it('is asked once for each request with a valid key, by the name of the key', async () => {
    expect((await answerWith(admit)).status).to.equal(200);
    expect(taken).to.deep.equal(['me']);
  });

  for (const [waitMs, seconds] of [
    [0, '1'],
    [1000, '1'],
    [1001, '2'],
  ] as const) {
    it(`answers 429 with Retry-After: ${seconds} if it asks for ${waitMs} ms, before the request is read`, async () => {
      for (const path of ['/v1/pets?limit=0', '/v1/nowhere']) {
        const response = await answerWith(async () => waitMs, path);
        expect([response.status, response.headers.get('Retry-After')]).to.deep.equal([429, seconds]);
        expect(exceeded).to.deep.equal(['rate']);
      }
    });
  }

  it('is not asked without a valid key, or outside the base path', async () => {
    expect((await answerWith(admit, '/v1/pets', { key: 'another key of sixteen' })).status).to.equal(401);
    expect(taken).to.deep.equal([]);
    expect((await answerWith(async () => 1, '/livez')).status).to.equal(200);
    expect(taken).to.deep.equal([]);
  });

  it('fails the request if it fails itself, and the log has the reason', async () => {
    const gone = new Error('the limiter is gone');
    expect((await answerWith(async () => Promise.reject(gone))).status).to.equal(500);
    expect(errors[0]?.err).to.equal(gone);
  });
});
