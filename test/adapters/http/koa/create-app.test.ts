import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa from 'koa';
import mount from 'koa-mount';
import { createApp } from '../../../../src/adapters/http/koa/create-app.js';
import type { HttpInterfaceOptions } from '../../../../src/adapters/http/http-interface-options.js';
import { endWithTest } from '../../../support/cleanup.js';
import { inMemory, KEY, REX } from '../../../support/in-memory-interface.js';
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

  for (const [isReady, status, word] of [
    [true, 200, 'ready'],
    [false, 503, 'not ready'],
  ] as const) {
    it(`tells by /readyz that it is ${word}`, async () => {
      const port = await listen(createApp(inMemory({ isReady: async () => isReady })));
      const answer = await request(port, 'GET', '/readyz');
      expect([answer.status, answer.json]).to.deep.equal([status, { status: word }]);
    });
  }

  it('serves under the base path given', async () => {
    const port = await listen(createApp(inMemory({ basePath: '/shop/v1' })));
    expect((await request(port, 'GET', '/shop/v1/pets', { key: KEY })).json).to.deep.equal([]);
  });

  for (const basePath of ['', '/', '/v2', 'v1', '/v1/', '/a b/v1', '/../v1', '/a/./v1', '/:x/v1', '//v1', '/(v1)/v1']) {
    it(`refuses ${JSON.stringify(basePath)} as a base path`, () => {
      expect(() => createApp(inMemory({ basePath }))).to.throw(TypeError, 'basePath');
    });
  }

  for (const bodyLimit of [0, -1, 1.5, 2 ** 28 + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`refuses ${bodyLimit} as the limit of a body`, () => {
      expect(() => createApp(inMemory({ bodyLimit }))).to.throw(TypeError, 'bodyLimit');
    });
  }

  for (const bodyLimit of [1, 2 ** 28]) {
    it(`takes ${bodyLimit} as the limit of a body`, () => {
      expect(() => createApp(inMemory({ bodyLimit }))).not.to.throw();
    });
  }
});
