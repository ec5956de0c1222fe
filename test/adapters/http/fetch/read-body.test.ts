import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';

const KEY = 'a key of sixteen.';
const BODY = '{"name":"Rex","categoryId":7}';
const LIMIT = 100;

describe('the Fetch handler reads a body', () => {
  const handle = createFetchHandler({
    store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
    apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
    bodyLimit: LIMIT,
    log: { warn: () => undefined, error: () => undefined },
  });

  async function statusOf(body: string | ReadableStream, contentLength?: number): Promise<number> {
    const headers = new Headers({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json' });
    if (contentLength !== undefined) headers.set('content-length', String(contentLength));
    const init: RequestInit = { method: 'POST', headers, body, duplex: 'half' };
    return (await handle(new Request('http://127.0.0.1/v1/pets', init))).status;
  }

  /** A stream of these texts, which then fails if it is to. */
  function streamOf(texts: readonly string[], fails = false): ReadableStream<Uint8Array> {
    const chunks = texts.map((text) => new TextEncoder().encode(text));
    return new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else if (fails) controller.error(new Error('the client has gone'));
        else controller.close();
      },
    });
  }

  it('of a known length', async () => {
    expect(await statusOf(BODY, BODY.length)).to.equal(201);
  });

  it('of an unknown length, in chunks', async () => {
    expect(await statusOf(streamOf([BODY.slice(0, 5), BODY.slice(5)]))).to.equal(201);
  });

  it('and answers 413 if it is too large, known or not', async () => {
    const tooLarge = BODY.padEnd(LIMIT + 1);
    expect(await statusOf(tooLarge, tooLarge.length)).to.equal(413);
    expect(await statusOf(streamOf([tooLarge]))).to.equal(413);
  });

  it('and answers 413 if it is larger than the limit, whatever Content-Length says', async () => {
    expect(await statusOf(BODY.padEnd(LIMIT + 1), LIMIT)).to.equal(413);
  });

  it('and reads nothing beyond the limit, whatever Content-Length says', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(LIMIT));
    let pulls = 0;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (++pulls > 100) controller.close();
          else controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    expect(await statusOf(endless, BODY.length)).to.equal(413);
    expect(pulls).to.equal(2);
  });

  it('and answers 400 if it ends early, known or not', async () => {
    expect(await statusOf(streamOf([BODY], true), BODY.length)).to.equal(400);
    expect(await statusOf(streamOf([BODY], true))).to.equal(400);
  });
});
