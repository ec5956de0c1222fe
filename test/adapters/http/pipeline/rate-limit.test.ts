import { expect } from 'chai';
import type { RateLimiter } from '../../../../src/adapters/http/pipeline/rate-limit.js';
import { fetchInMemory, type Sent } from '../../../support/in-memory-interface.js';

describe('a rate limiter behind the HTTP interface', () => {
  const taken: string[] = [];
  const errors: object[] = [];
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
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [59_500, '60'],
  ] as const) {
    it(`answers 429 with Retry-After: ${seconds} if it asks for ${waitMs} ms`, async () => {
      const answer = await answerWith(async () => waitMs);
      expect([answer.status, answer.headers.get('Retry-After')]).to.deep.equal([429, seconds]);
    });
  }

  it('is reported to onResponse as the limit that was exceeded', async () => {
    await answerWith(async () => 1);
    expect(exceeded).to.deep.equal(['rate']);
  });

  it('comes before the request is read', async () => {
    for (const path of ['/v1/nowhere', '/v1/pets?limit=0', '/v1/pets/x']) {
      expect((await answerWith(async () => 1, path)).status, path).to.equal(429);
    }
  });

  it('is not asked for a request without a valid key', async () => {
    expect((await answerWith(admit, '/v1/pets', { key: 'another key of sixteen' })).status).to.equal(401);
    expect(taken).to.deep.equal([]);
  });

  it('is not asked outside the base path', async () => {
    expect((await answerWith(async () => 1, '/livez')).status).to.equal(200);
    expect(taken).to.deep.equal([]);
  });

  it('fails the request if it fails itself, and the log has the reason', async () => {
    const answer = await answerWith(async () => Promise.reject(new Error('the limiter is gone')));
    expect(answer.status).to.equal(500);
    expect(String((errors[0] as { err: Error }).err)).to.include('the limiter is gone');
  });
});
