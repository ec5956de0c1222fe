import { bodyParser as koaScopedBodyParser } from '@koa/bodyparser';
import { expect } from 'chai';
import express from 'express';
import { buffer } from 'node:stream/consumers';
import Koa, { type Middleware } from 'koa';
import koaBodyParser from 'koa-bodyparser';
import compress from 'koa-compress';
import mount from 'koa-mount';
import type { Log } from '../../../../src/adapters/http/pipeline/log.js';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { createHttpServer, type RequestHandler } from '../../../../src/adapters/http/server/http-server.js';
import type { Answer } from '../../../support/answer.js';
import { inMemory, KEY } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request, type RequestOptions } from '../../../support/request.js';

const INT64_MAX = '9223372036854775807';

const createBody = (categoryId: string, more = ''): string => `{"name":"Rex","categoryId":${categoryId}${more}}`;

describe('the Koa application as a part of a larger one', () => {
  const errors: { fields: { err?: unknown }; message: string }[] = [];
  const log: Log = {
    warn: () => undefined,
    error: (fields, message) => void errors.push({ fields, message }),
  };
  let port: number;

  beforeEach(() => errors.splice(0));

  function createPart(options: Partial<HttpInterfaceOptions> = {}): Koa {
    return createApp(inMemory({ log, ...options }));
  }

  async function listen(handler: RequestHandler): Promise<void> {
    port = await listenOnFreePort(createHttpServer(handler));
  }

  /** Serves the application below `/shop`, behind some middleware. */
  async function listenBehind(...middleware: readonly Middleware[]): Promise<void> {
    const whole = new Koa();
    for (const each of middleware) whole.use(each);
    await listen(whole.use(mount('/shop', createPart())).callback());
  }

  /** Serves the application below `/shop` of an Express application, behind a parser. */
  async function listenIn(parser: express.RequestHandler, part = createPart()): Promise<void> {
    const whole = express();
    whole.use(parser);
    whole.use('/shop', part.callback());
    await listen(whole);
  }

  const ask = async (method: string, target: string, options?: RequestOptions): Promise<Answer> =>
    request(port, method, target, { key: KEY, ...options });
  const asked = async (target: string): Promise<Answer> => ask('GET', target);
  const create = async (body: string): Promise<Answer> => ask('POST', '/shop/v1/pets', { body });

  it('lets middleware around it compress its answers', async () => {
    await listenBehind(compress({ threshold: 1 }));
    const answer = await fetch(`http://127.0.0.1:${port}/shop/v1/pets`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(await answer.json()).to.deep.equal([]);
    expect([answer.status, answer.headers.get('Content-Encoding')]).to.deep.equal([200, 'gzip']);
  });

  it('adds to the Vary of middleware around it', async () => {
    const part = createPart({ corsOrigins: ['https://shop.example'] });
    await listen(new Koa().use(compress()).use(mount('/shop', part)).callback());
    expect((await asked('/shop/v1/pets')).all('Vary')).to.deep.equal(['Accept-Encoding', 'Origin']);
  });

  it('adds to the challenges of middleware around it', async () => {
    await listenBehind(async (ctx, next) => {
      ctx.set('WWW-Authenticate', 'Basic realm="shop"');
      await next();
    });
    const [basic, bearer, ...more] = (await ask('GET', '/shop/v1/pets', { authorization: null })).all(
      'WWW-Authenticate',
    );
    expect([basic, bearer?.split(' ')[0], more]).to.deep.equal(['Basic realm="shop"', 'Bearer', []]);
  });

  it('replaces any other field that middleware around it has set', async () => {
    await listenBehind(async (ctx, next) => {
      ctx.set('Cache-Control', 'public');
      await next();
    });
    expect((await asked('/shop/v1/pets')).all('Cache-Control')).to.deep.equal(['no-store']);
  });

  it('keeps the header fields that middleware around it sets, before it and after it', async () => {
    await listenBehind(async (ctx, next) => {
      ctx.set('X-Early', 'yes');
      await next();
      ctx.set('X-Late', 'yes');
    });
    const answer = await asked('/shop/v1/pets');
    expect([answer.header('X-Early'), answer.header('X-Late')]).to.deep.equal(['yes', 'yes']);
  });

  it('shows its status to middleware around it', async () => {
    const seen: number[] = [];
    await listenBehind(async (ctx, next) => {
      await next();
      seen.push(ctx.status);
    });
    await asked('/shop/v1/pets');
    await asked('/shop/v1/pets/404404');
    await asked('/shop/livez');
    expect(seen).to.deep.equal([200, 404, 200]);
  });

  it('links to the next page below the path that it is mounted at, also for a target in absolute form', async () => {
    await listenBehind();
    for (const id of ['1', '2']) await create(createBody(id));
    const answer = await asked('http://e/shop/v1/pets?limit=1');
    expect(answer.header('Link')).to.equal('</shop/v1/pets?limit=1&after=1>; rel="next"');
  });

  const parsers: Readonly<Record<string, () => Middleware>> = {
    'koa-bodyparser': () => koaBodyParser() as Middleware,
    '@koa/bodyparser': () => koaScopedBodyParser() as Middleware,
  };
  for (const [name, createParser] of Object.entries(parsers)) {
    describe(`behind ${name}`, () => {
      beforeEach(async () => listenBehind(createParser()));

      it('reads a body itself that the parser has left alone', async () => {
        const answer = await ask('POST', '/shop/v1/pets', { body: 'x', contentType: 'application/xml' });
        expect(answer.status).to.equal(415);
      });

      it('limits the body, whether its length is announced or not', async () => {
        for (const chunked of [false, true]) {
          for (const [length, status] of [
            [65_536, 201],
            [65_537, 413],
          ] as const) {
            const body = createBody('7').padEnd(length);
            expect((await ask('POST', '/shop/v1/pets', { body, chunked })).status).to.equal(status);
          }
        }
      });

      it('refuses an empty body', async () => {
        expect((await create('')).status).to.equal(400);
      });
    });
  }

  describe('in an Express application behind express.json()', () => {
    it('answers a creation, below the path that it is mounted at', async () => {
      await listenIn(express.json());
      const answer = await create(createBody(String(Number.MAX_SAFE_INTEGER)));
      expect([answer.status, answer.text]).to.deep.equal([
        201,
        `{"id":1,"name":"Rex","categoryId":${Number.MAX_SAFE_INTEGER}}`,
      ]);
      expect(answer.header('Location')).to.equal('/shop/v1/pets/1');
    });

    it('names the path that it is mounted at even if it trusts a proxy', async () => {
      const part = createPart();
      part.proxy = true;
      await listenIn(express.json(), part);
      expect((await create(createBody('7'))).header('Location')).to.equal('/shop/v1/pets/1');
    });

    it('redirects the path that it is mounted at to the reference below it', async () => {
      await listenIn(express.json());
      for (const path of ['/shop', '/shop/']) expect((await asked(path)).header('Location')).to.equal('/shop/docs');
    });

    for (const integer of [INT64_MAX, `-${INT64_MAX}`]) {
      it(`answers 500 if the parser has rounded ${integer}, and logs why`, async () => {
        await listenIn(express.json());
        expect((await create(createBody(integer))).status).to.equal(500);
        expect(String(errors[0]?.fields.err)).to.include('rounded an integer').and.include('rawBody');
      });
    }
  });

  describe('keeps every digit of a body that was read before', () => {
    const keepRawBody = (req: object, _res: unknown, rawBody: Buffer): void => void Object.assign(req, { rawBody });
    const PARSED: Record<string, () => Promise<void>> = {
      'by koa-bodyparser': async () => listenBehind(koaBodyParser() as Middleware),
      'by @koa/bodyparser': async () => listenBehind(koaScopedBodyParser() as Middleware),
      "by middleware that has left it on Node's request": async () =>
        listenBehind(async (ctx, next) => {
          keepRawBody(ctx.req, undefined, await buffer(ctx.req));
          await next();
        }),
      'by express.json(), if that keeps the body as it came': async () =>
        listenIn(express.json({ verify: keepRawBody })),
      'by express.raw()': async () => listenIn(express.raw({ type: 'application/json' })),
      'by express.text()': async () => listenIn(express.text({ type: 'application/json' })),
    };
    for (const [how, start] of Object.entries(PARSED)) {
      it(how, async () => {
        await start();
        const { status, text } = await create(createBody(INT64_MAX));
        expect([status, text]).to.deep.equal([201, `{"id":1,"name":"Rex","categoryId":${INT64_MAX}}`]);
      });
    }
  });

  it('answers 500 immediately if nothing is left of a body that was read before, and logs why', async () => {
    await listenBehind(async (ctx, next) => {
      for await (const chunk of ctx.req) void chunk;
      await next();
    });
    const { status, json } = await create(createBody('7'));
    expect(status).to.equal(500);
    expect(json).to.include({ code: 'internal_error' });
    expect(String(errors[0]?.fields.err)).to.include('was read before it reached the animal store');
  });
});
