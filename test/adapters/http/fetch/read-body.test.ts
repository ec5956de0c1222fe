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

  it('and cancels one that is too large, so that the client can stop', async () => {
    let isCancelled = false;
    const tooLarge = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(' '.repeat(LIMIT + 1))),
      cancel: () => void (isCancelled = true),
    });
    expect(await statusOf(tooLarge)).to.equal(413);
    expect(isCancelled).to.equal(true);
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

  /** A request whose members are shadowed, as in runtimes that lack some. */
  const without = (request: Request, members: object): Request =>
    new Proxy(request, {
      get: (target, name) => {
        const value: unknown = name in members ? members[name as keyof object] : Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });

  it('from a stream that cannot be iterated over, as in Safari', async () => {
    const request = requestTo('/v1/pets', { body: streamOf([BODY]) });
    Object.defineProperty(request.body, Symbol.asyncIterator, { value: undefined });
    expect((await handle(request)).status).to.equal(201);
  });

  it('from a request that has no stream, as in old versions of Firefox, and bounds it', async () => {
    const statusWithout = async (body: string): Promise<number> =>
      (await handle(without(requestTo('/v1/pets', { body }), { body: undefined }))).status;
    expect(await statusWithout(BODY)).to.equal(201);
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

  it('and answers 400 if there is none', async () => {
    expect(await statusOf(null)).to.equal(400);
  });

  it('and answers 400 if it ends early, known or not', async () => {
    expect(await statusOf(streamOf([BODY], true), BODY.length)).to.equal(400);
    expect(await statusOf(streamOf([BODY], true))).to.equal(400);
  });
});
