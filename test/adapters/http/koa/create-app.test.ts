import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa, { type Middleware } from 'koa';
import mount from 'koa-mount';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { endWithTest } from '../../../support/cleanup.js';
import { inMemory, KEY, REX, SILENT } from '../../../support/in-memory-interface.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request } from '../../../support/request.js';

describe('createApp', () => {
  const listen = async (app: Koa): Promise<number> => listenOnFreePort(createServer(app.callback()));

  describe('reports as the address of the client', () => {
    const trustProxy: HttpInterfaceOptions['trustProxy'] = () => '203.0.113.7';
    const trusting = (app: Koa): Koa => Object.assign(app, { proxy: true });
    const mounted = (app: Koa): Koa => new Koa().use(mount('/', app));
    const same = (app: Koa): Koa => app;
    const CASES: Record<
      string,
      readonly [options: Partial<HttpInterfaceOptions>, prepare: (app: Koa) => Koa, address: string]
    > = {
      'that of the connection, whatever header fields say': [{}, same, '127.0.0.1'],
      'what a proxy that Koa trusts says': [{}, trusting, '203.0.113.7'],
      'what trustProxy finds': [{ trustProxy }, same, '203.0.113.7'],
      'what trustProxy finds, mounted': [{ trustProxy }, mounted, '203.0.113.7'],
    };
    for (const [what, [options, prepare, address]] of Object.entries(CASES)) {
      it(what, async () => {
        const addresses: unknown[] = [];
        const onResponse: HttpInterfaceOptions['onResponse'] = ({ clientAddress }) => addresses.push(clientAddress);
        const port = await listen(prepare(createApp(inMemory({ onResponse, ...options }))));
        const headers = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded'].map((name) => [name, '203.0.113.7'] as const);
        await request(port, 'GET', '/livez', { headers });
        expect(addresses).to.deep.equal([address]);
      });
    }
  });

  it('logs every error of middleware that was added in front', async () => {
    const logged: unknown[] = [];
    const error = (fields: object, message: string): unknown => logged.push({ fields, message });
    const app = createApp(inMemory({ log: { warn: error, error } }));
    const err = new Error('the middleware is broken');
    app.middleware.unshift(() => {
      throw err;
    });
    const port = await listen(app);
    for (let i = 0; i < 2; i++) expect((await request(port, 'GET', '/livez')).status).to.equal(500);
    const entry = { fields: { err }, message: 'a response failed' };
    expect(logged).to.deep.equal([entry, entry]);
  });

  it('shows the paths of its routes to an agent that wraps the middleware of every application', async () => {
    const seen: unknown[] = [];
    const { use } = Koa.prototype;
    Koa.prototype.use = function (this: Koa, middleware: Middleware) {
      const wrapped: Middleware = async (ctx, next) => {
        await middleware(ctx, next);
        seen.push(ctx['_matchedRoute']);
      };
      // A router is left as it is.
      return Reflect.apply(use, this, ['router' in middleware ? middleware : wrapped]) as Koa;
    } as Koa['use'];
    let port: number;
    try {
      port = await listen(createApp(inMemory()));
    } finally {
      Koa.prototype.use = use;
    }
    await request(port, 'POST', '/v1/pets', { key: KEY, body: REX });
    await request(port, 'GET', '/v1/pets/1', { key: KEY });
    expect(seen).to.deep.equal(['/v1/pets', '/v1/pets/:petId']);
  });

  it('answers over HTTP/2', async () => {
    const port = await listenOnFreePort(createHttp2Server(createApp(inMemory()).callback()));
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    endWithTest(() => session.close());
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v1/pets',
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
    });
    stream.end(REX);
    const [fields] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect([fields[':status'], fields['location'], await text(stream)]).to.deep.equal([
      201,
      '/v1/pets/1',
      '{"id":1,"name":"Rex","categoryId":7}',
    ]);
  });

  it('tells by /readyz whether it is ready', async () => {
    let isReady = true;
    const port = await listen(createApp(inMemory({ isReady: async () => isReady })));
    const ask = async (): Promise<unknown> => {
      const { status, json } = await request(port, 'GET', '/readyz');
      return [status, json];
    };
    expect(await ask()).to.deep.equal([200, { status: 'ready' }]);
    isReady = false;
    expect(await ask()).to.deep.equal([503, { status: 'not ready' }]);
  });

  it('is not ready by /readyz, and says why in the log, if the check rejects', async () => {
    const reasons: unknown[] = [];
    const log = { ...SILENT, warn: ({ err }: { readonly err?: unknown }) => void reasons.push(err) };
    const gone = new Error('the database is gone');
    const port = await listen(createApp(inMemory({ log, isReady: async () => Promise.reject(gone) })));
    const { status, json } = await request(port, 'GET', '/readyz');
    expect([status, json]).to.deep.equal([503, { status: 'not ready' }]);
    expect(reasons).to.deep.equal([gone]);
  });

  it('takes a base path of several segments, and the smallest and the greatest limits', async () => {
    const port = await listen(createApp(inMemory({ basePath: '/shop/v1', bodyLimit: 1, maxInFlight: 1 })));
    expect((await request(port, 'GET', '/shop/v1/pets', { key: KEY })).json).to.deep.equal([]);
    expect(() => createApp(inMemory({ bodyLimit: 2 ** 28 }))).not.to.throw();
  });

  const REFUSED: Partial<Record<keyof HttpInterfaceOptions, readonly unknown[]>> = {
    basePath: ['', '/', '/v2', 'v1', '/v1/', '/a b/v1', '/../v1', '/a/./v1', '/:x/v1', '//v1', '/(v1)/v1'],
    bodyLimit: [0, -1, 1.5, 2 ** 28 + 1, Number.NaN, Number.POSITIVE_INFINITY],
    maxInFlight: [0, -1, 1.5, Number.NaN],
  };
  for (const [name, values] of Object.entries(REFUSED)) {
    it(`refuses an invalid ${name}`, () => {
      for (const value of values) expect(() => createApp(inMemory({ [name]: value }))).to.throw(TypeError, name);
    });
  }
});
