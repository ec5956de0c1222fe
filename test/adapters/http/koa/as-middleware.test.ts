import { bodyParser as koaScopedBodyParser } from '@koa/bodyparser';
import { expect } from 'chai';
import express from 'express';
import { buffer } from 'node:stream/consumers';
import Koa, { type Middleware } from 'koa';
import koaBodyParser from 'koa-bodyparser';
import compress from 'koa-compress';
import mount from 'koa-mount';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import { createHttpServer, type RequestHandler } from '../../../../src/adapters/http/server/http-server.js';
import type { ReceivedResponse } from '../../../support/received-response.js';
import { inMemory, KEY } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request, type RequestOptions } from '../../../support/request.js';

const INT64_MAX = '9223372036854775807';

const createBody = (categoryId: string): string => `{"name":"Rex","categoryId":${categoryId}}`;

describe('the Koa application as a part of a larger one', () => {
  const errors: { readonly err?: unknown }[] = [];
  const log = { warn: () => undefined, error: (fields: object) => errors.push(fields) };
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
    const part = createPart({ corsOrigins: ['https://shop.example'] });
    await listen(whole.use(mount('/shop', part)).callback());
  }

  /** Serves the application below `/shop` of an Express application, behind a parser. */
  async function listenIn(parser: express.RequestHandler, part = createPart()): Promise<void> {
    await listen(express().use(parser).use('/shop', part.callback()));
  }

  const ask = async (method: string, target: string, options?: RequestOptions): Promise<ReceivedResponse> =>
    request(port, method, target, { key: KEY, ...options });
  const asked = async (target: string): Promise<ReceivedResponse> => ask('GET', target);
  const create = async (body: string, chunked = false): Promise<ReceivedResponse> =>
    ask('POST', '/shop/v1/pets', { body, chunked });

  it('lets middleware around it compress its responses, and adds to its Vary', async () => {
    await listenBehind(compress({ threshold: 1 }));
    const response = await fetch(`http://127.0.0.1:${port}/shop/v1/pets`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(await response.json()).to.deep.equal([]);
    expect([response.status, response.headers.get('Content-Encoding')]).to.deep.equal([200, 'gzip']);
    expect(response.headers.get('Vary')).to.equal('Accept-Encoding, Origin');
  });

  it('keeps the header fields of middleware around it, adds to challenges, and replaces its own', async () => {
    await listenBehind(async (ctx, next) => {
      ctx.set({ 'X-Early': 'yes', 'WWW-Authenticate': 'Basic realm="shop"', 'Cache-Control': 'public' });
      await next();
      ctx.set('X-Late', 'yes');
    });
    const response = await ask('GET', '/shop/v1/pets', { authorization: null });
    expect([response.header('X-Early'), response.header('X-Late')]).to.deep.equal(['yes', 'yes']);
    const challenges = ['Basic realm="shop"', 'Bearer realm="animal-store"'];
    expect(response.all('WWW-Authenticate')).to.deep.equal(challenges);
    expect(response.all('Cache-Control')).to.deep.equal(['no-store']);
  });

  it('shows its status to middleware around it', async () => {
    const seen: number[] = [];
    await listenBehind(async (ctx, next) => {
      await next();
      seen.push(ctx.status);
    });
    for (const path of ['/shop/v1/pets', '/shop/v1/pets/404404', '/shop/livez']) await asked(path);
    expect(seen).to.deep.equal([200, 404, 200]);
  });

  it('links to the next page below the path that it is mounted at, also for a target in absolute form', async () => {
    await listenBehind();
    for (const id of ['1', '2']) await create(createBody(id));
    const response = await asked('http://e/shop/v1/pets?limit=1');
    expect(response.header('Link')).to.equal('</shop/v1/pets?limit=1&after=1>; rel="next"');
  });

  for (const [name, parser] of [
    ['koa-bodyparser', koaBodyParser() as Middleware],
    ['@koa/bodyparser', koaScopedBodyParser() as Middleware],
  ] as const) {
    it(`limits a body that ${name} has read, reads one that it has left alone, and refuses an empty one`, async () => {
      await listenBehind(parser);
      for (const chunked of [false, true]) {
        expect((await create(createBody('7').padEnd(65_536), chunked)).status).to.equal(201);
        expect((await create(createBody('7').padEnd(65_537), chunked)).status).to.equal(413);
      }
      const xml = await ask('POST', '/shop/v1/pets', { body: 'x', contentType: 'application/xml' });
      expect([xml.status, (await create('')).status]).to.deep.equal([415, 400]);
    });
  }

  for (const proxy of [false, true]) {
    it(`names the path that an Express application mounts it at if it ${proxy ? 'trusts' : 'does not trust'} a proxy`, async () => {
      await listenIn(express.json(), Object.assign(createPart(), { proxy }));
      const response = await create(createBody(String(Number.MAX_SAFE_INTEGER)));
      expect(response.text).to.equal(`{"id":1,"name":"Rex","categoryId":${Number.MAX_SAFE_INTEGER}}`);
      expect(response.header('Location')).to.equal('/shop/v1/pets/1');
      for (const path of ['/shop', '/shop/']) expect((await asked(path)).header('Location')).to.equal('/shop/docs');
    });
  }

  it('answers 500 if express.json() has rounded an integer, and logs why', async () => {
    await listenIn(express.json());
    for (const integer of [INT64_MAX, `-${INT64_MAX}`]) {
      expect((await create(createBody(integer))).status).to.equal(500);
      expect(String(errors.at(-1)?.err))
        .to.include('rounded an integer')
        .and.include('rawBody');
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
    expect(String(errors[0]?.err)).to.include('was read before it reached the animal store');
  });
});
