import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import type { RateLimiter } from '../../../../src/adapters/http/guards/rate-limit.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';

const KEY = 'a key of sixteen.';

describe('a rate limiter behind the HTTP interface', () => {
  const taken: string[] = [];
  const errors: object[] = [];
  const exceeded: unknown[] = [];

  async function answerWith(take: RateLimiter['take'], path: string, key = KEY): Promise<Response> {
    taken.length = errors.length = exceeded.length = 0;
    const handle = createFetchHandler({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([{ name: 'anna', key: KEY }]),
      rateLimiter: {
        async take(keyName) {
          taken.push(keyName);
          return take(keyName);
        },
      },
      log: { warn: () => undefined, error: (fields) => errors.push(fields) },
      onAnswered: ({ limit }) => exceeded.push(limit),
    });
    return handle(new Request(`http://127.0.0.1${path}`, { headers: { authorization: `Bearer ${key}` } }));
  }

  const admit = async (): Promise<undefined> => undefined;

  it('is asked once for each request with a valid key, by the name of the key', async () => {
    expect((await answerWith(admit, '/v1/pets')).status).to.equal(200);
    expect(taken).to.deep.equal(['anna']);
  });

  for (const [waitMs, seconds] of [
    [0, '1'],
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [59_500, '60'],
  ] as const) {
    it(`answers 429 with Retry-After: ${seconds} if it asks for ${waitMs} ms`, async () => {
      const answer = await answerWith(async () => waitMs, '/v1/pets');
      expect([answer.status, answer.headers.get('Retry-After')]).to.deep.equal([429, seconds]);
      expect(await answer.json()).to.deep.equal({
        code: 'too_many_requests',
        message: 'the rate limit of the key is used up; try again later',
        status: 429,
      });
    });
  }

  it('is reported to onAnswered as the limit that was exceeded', async () => {
    await answerWith(async () => 1, '/v1/pets');
    expect(exceeded).to.deep.equal(['rate']);
  });

  it('comes before the request is read', async () => {
    for (const path of ['/v1/nowhere', '/v1/pets?limit=0', '/v1/pets/x']) {
      expect((await answerWith(async () => 1, path)).status, path).to.equal(429);
    }
  });

  it('is not asked for a request without a valid key', async () => {
    expect((await answerWith(admit, '/v1/pets', 'another key of sixteen')).status).to.equal(401);
    expect(taken).to.deep.equal([]);
  });

  it('is not asked outside the base path', async () => {
    expect((await answerWith(async () => 1, '/livez')).status).to.equal(200);
    expect(taken).to.deep.equal([]);
  });

  it('fails the request if it fails itself, and the log has the reason', async () => {
    const answer = await answerWith(async () => Promise.reject(new Error('the limiter is gone')), '/v1/pets');
    expect(answer.status).to.equal(500);
    expect(String((errors[0] as { err: Error }).err)).to.include('the limiter is gone');
  });
});
