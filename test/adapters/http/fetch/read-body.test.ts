import { expect } from 'chai';
import { createFetchHandler } from '../../../../src/adapters/http/fetch/create-fetch-handler.js';
import { inMemory, requestTo, REX as BODY } from '../../../support/in-memory-interface.js';

const LIMIT = 100;

describe('the Fetch handler reads a body', () => {
  const errors: { readonly err?: unknown }[] = [];
  const log = { warn: () => undefined, error: (fields: object) => errors.push(fields) };
  const handle = createFetchHandler(inMemory({ bodyLimit: LIMIT, log }));

  beforeEach(() => errors.splice(0));

  async function statusOf(body: string | ReadableStream | null, contentLength?: number): Promise<number> {
    const headers = contentLength === undefined ? {} : { 'content-length': String(contentLength) };
    return (await handle(requestTo('/v1/pets', { body, headers }))).status;
  }

  /** A stream of these texts, which is then closed, or fails. */
  function streamOf(texts: readonly string[], end: 'close' | 'error' = 'close'): ReadableStream<Uint8Array> {
    const chunks = texts.map((text) => new TextEncoder().encode(text));
    return new ReadableStream({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk !== undefined) controller.enqueue(chunk);
        else controller[end](end === 'error' ? new Error('the client has gone') : undefined);
      },
    });
  }

  it('and answers 413 if it is larger than the limit, whatever Content-Length says', async () => {
    expect(await statusOf(BODY.padEnd(LIMIT + 1), LIMIT)).to.equal(413);
    expect(await statusOf(BODY.padEnd(LIMIT), LIMIT)).to.equal(201);
  });

  it('in pieces, and cancels one that is too large without reading on', async () => {
    expect(await statusOf(streamOf([BODY.slice(0, 9), BODY.slice(9, 10), BODY.slice(10)]))).to.equal(201);
    let pulls = 0;
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (++pulls > 100) controller.close();
          else controller.enqueue(new TextEncoder().encode(' '.repeat(LIMIT)));
        },
        cancel: () => void (isCancelled = true),
      },
      { highWaterMark: 0 },
    );
    expect(await statusOf(endless, BODY.length)).to.equal(413);
    expect([pulls, isCancelled]).to.deep.equal([2, true]);
  });

  const READERS: Record<string, (request: Request) => Promise<void>> = {
    'was read': async ({ body }) => {
      const reader = body?.getReader();
      await reader?.read();
      reader?.releaseLock();
    },
    'is being read': async ({ body }) => void body?.getReader(),
  };
  for (const [what, read] of Object.entries(READERS)) {
    it(`and answers 500 if it ${what} before, and logs why`, async () => {
      const request = requestTo('/v1/pets', { body: BODY });
      await read(request);
      expect((await handle(request)).status).to.equal(500);
      expect(String(errors[0]?.err)).to.include('was read before it reached the animal store');
    });
  }

  it('from a stream that cannot be iterated over, as in Safari', async () => {
    const request = requestTo('/v1/pets', { body: streamOf([BODY]) });
    Object.defineProperty(request.body, Symbol.asyncIterator, { value: undefined });
    expect((await handle(request)).status).to.equal(201);
  });

  it('from a request that has no stream, as in old versions of Firefox, and bounds it', async () => {
    const statusWithout = async (body: string): Promise<number> => {
      const request = requestTo('/v1/pets', { body });
      return (await handle(Object.defineProperty(request, 'body', { value: undefined }))).status;
    };
    expect(await statusWithout(BODY.padEnd(LIMIT))).to.equal(201);
    expect(await statusWithout(BODY.padEnd(LIMIT + 1))).to.equal(413);
  });

  it('and answers 500 to a fault of the runtime, which is no body that ended early', async () => {
    const request = requestTo('/v1/pets', { body: streamOf([BODY]) });
    const err = new Error('not implemented');
    Object.defineProperty(request.body, 'getReader', {
      value: () => {
        throw err;
      },
    });
    expect((await handle(request)).status).to.equal(500);
    expect(errors[0]?.err).to.equal(err);
  });

  it('and answers 400 if there is none, or if it ends early, known or not', async () => {
    expect(await statusOf(null)).to.equal(400);
    expect(await statusOf(streamOf([BODY], 'error'), BODY.length)).to.equal(400);
    expect(await statusOf(streamOf([BODY], 'error'))).to.equal(400);
  });
});
