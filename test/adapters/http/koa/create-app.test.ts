import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import Koa from 'koa';
import mount from 'koa-mount';
import { createApp, type AppOptions } from '../../../../src/adapters/http/koa/create-app.js';
import { trustedProxies } from '../../../../src/adapters/http/proxies/trusted-proxies.js';
import { InMemoryApiKeys } from '../../../../src/adapters/in-memory/in-memory-api-keys.js';
import { InMemoryPetCatalogue } from '../../../../src/adapters/in-memory/in-memory-pet-catalogue.js';
import { createAnimalStore } from '../../../../src/application/animal-store.js';
import { AnimalStoreError } from '../../../../src/domain/errors.js';
import type { Answer } from '../../../support/answer.js';
import { endWithTest } from '../../../support/cleanup.js';
import { listenOnFreePort } from '../../../support/listen-on-free-port.js';
import { request, send } from '../../../support/request.js';

const KEY = 'a key of sixteen.';

class FailingCatalogue extends InMemoryPetCatalogue {
  readonly #error: Error;

  constructor(error: Error) {
    super();
    this.#error = error;
  }

  override async list(): Promise<never> {
    throw this.#error;
  }

  override async find(): Promise<never> {
    throw this.#error;
  }
}

describe('createApp', () => {
  async function listen(options: Partial<AppOptions> = {}, { prefix = '', proxy = false } = {}): Promise<string> {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const app = createApp({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]), ...options });
    app.proxy = proxy;
    return `http://127.0.0.1:${await listenOnFreePort(createServer(app.callback()))}${prefix}`;
  }

  it('takes the address of the client from a proxy that Koa trusts', async () => {
    const addresses: unknown[] = [];
    const onAnswered: AppOptions['onAnswered'] = ({ clientAddress }) => addresses.push(clientAddress);
    const url = await listen({ onAnswered }, { proxy: true });
    await send(`${url}/livez`, { headers: [['X-Forwarded-For', '203.0.113.7']] });
    expect(addresses).to.deep.equal(['203.0.113.7']);
  });

  it('reports the address of the connection as that of the client, whatever X-Forwarded-For says', async () => {
    const addresses: unknown[] = [];
    const onAnswered: AppOptions['onAnswered'] = ({ clientAddress }) => addresses.push(clientAddress);
    const url = await listen({ onAnswered });
    const headers = ['X-Forwarded-For', 'X-Real-IP', 'Forwarded'].map((name) => [name, '203.0.113.7'] as const);
    await send(`${url}/livez`, { headers });
    expect(addresses).to.deep.equal(['127.0.0.1']);
  });

  for (const [how, isMounted] of [
    ['alone', false],
    ['mounted in another application', true],
  ] as const) {
    it(`takes the address of the client from a proxy that trustProxy trusts, ${how}`, async () => {
      const addresses: unknown[] = [];
      const onAnswered: AppOptions['onAnswered'] = ({ clientAddress }) => addresses.push(clientAddress);
      const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
      const trustProxy = trustedProxies(['loopback']);
      const app = createApp({ store, apiKeys: new InMemoryApiKeys([]), onAnswered, trustProxy });
      const whole = isMounted ? new Koa().use(mount('/', app)) : app;
      const port = await listenOnFreePort(createServer(whole.callback()));
      const headers = [['X-Forwarded-For', '198.51.100.1, 203.0.113.7']] as const;
      await request(port, 'GET', '/livez', { headers });
      expect(addresses).to.deep.equal(['203.0.113.7']);
    });
  }

  it('logs an error of middleware that was added in front', async () => {
    const logged: { fields: object; message: string }[] = [];
    const error = (fields: object, message: string): unknown => logged.push({ fields, message });
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const app = createApp({ store, apiKeys: new InMemoryApiKeys([]), log: { warn: () => undefined, error } });
    const err = new Error('the middleware is broken');
    app.middleware.unshift(() => {
      throw err;
    });
    const port = await listenOnFreePort(createServer(app.callback()));
    expect((await request(port, 'GET', '/livez')).status).to.equal(500);
    expect(logged).to.deep.equal([{ fields: { err }, message: 'an answer failed' }]);
  });

  describe('when an unforeseen error is thrown', () => {
    const logged: { fields: Record<string, unknown>; message: string }[] = [];
    let url: string;

    beforeEach(async () => {
      logged.length = 0;
      const store = createAnimalStore({ catalogue: new FailingCatalogue(new Error('host db.internal refused')) });
      const error = (fields: object, message: string) => logged.push({ fields: { ...fields }, message });
      url = await listen({ store, log: { warn: () => undefined, error } });
    });

    it('answers 500 internal_error', async () => {
      const { status, json } = await send(`${url}/v1/pets`, { key: KEY });
      expect(status).to.equal(500);
      expect(json).to.include({ code: 'internal_error', status: 500 });
    });

    it('reveals nothing about the error in the answer', async () => {
      expect((await send(`${url}/v1/pets`, { key: KEY })).text).not.to.match(/db\.internal|at /);
    });

    it("logs the error with its stack under the request's id", async () => {
      await send(`${url}/v1/pets`, { key: KEY, headers: [['X-Request-Id', 'req-7']] });
      expect(logged).to.have.length(1);
      expect(logged[0]?.fields['requestId']).to.equal('req-7');
      expect((logged[0]?.fields['err'] as Error).stack).to.include('host db.internal refused');
    });

    it('announces the deprecation of getPet all the same', async () => {
      const answer = await send(`${url}/v1/pets/1`, { key: KEY });
      expect(answer.status).to.equal(500);
      expect(answer.header('Deprecation')).to.equal('@1795132800');
      expect(answer.header('Sunset')).to.equal('Thu, 05 Dec 2030 00:00:00 GMT');
    });
  });

  describe('when the store does not answer', () => {
    async function answerOf(path: string): Promise<Answer> {
      const silent = new AnimalStoreError('store_unavailable', 'mongodb://db.internal is silent');
      const log = { warn: () => undefined, error: () => undefined };
      const url = await listen({ store: createAnimalStore({ catalogue: new FailingCatalogue(silent) }), log });
      return send(url + path, { key: KEY });
    }

    it('answers 503 store_unavailable, with Retry-After', async () => {
      const answer = await answerOf('/v1/pets');
      expect(answer.status).to.equal(503);
      expect(answer.header('Retry-After')).to.match(/^[0-9]+$/);
      expect(answer.json).to.include({ code: 'store_unavailable', status: 503 });
    });

    it("keeps the adapter's message to itself", async () => {
      expect((await answerOf('/v1/pets')).text).not.to.include('db.internal');
    });

    for (const [what, cause, logged] of [
      ['the message of its cause', new Error('connection 3 closed'), 'connection 3 closed'],
      ['the error itself if it has no cause', undefined, 'AnimalStoreError: it is silent'],
    ] as const) {
      it(`logs one warning, with the id of the request and ${what}`, async () => {
        const warnings: object[] = [];
        const log = {
          warn: (fields: object) => warnings.push(fields),
          error: (fields: object) => warnings.push(fields),
        };
        const silent = new AnimalStoreError('store_unavailable', 'it is silent', { cause });
        const url = await listen({ store: createAnimalStore({ catalogue: new FailingCatalogue(silent) }), log });
        await send(`${url}/v1/pets`, { key: KEY, headers: [['X-Request-Id', 'req-7']] });
        expect(warnings).to.deep.equal([{ requestId: 'req-7', cause: logged }]);
      });
    }

    it('announces the deprecation of getPet all the same', async () => {
      const answer = await answerOf('/v1/pets/1');
      expect(answer.header('Deprecation')).to.equal('@1795132800');
      expect(answer.header('Link')).to.equal('</v1/pets>; rel="successor-version"');
    });

    it('answers 503 if only the store could verify the key', async () => {
      const verify = async () => Promise.reject(new AnimalStoreError('store_unavailable', 'silent'));
      const log = { warn: () => undefined, error: () => undefined };
      const url = await listen({ apiKeys: { verify }, log });
      const answer = await send(`${url}/v1/pets/1`, { key: KEY });
      expect(answer.status).to.equal(503);
      expect(answer.header('Deprecation')).to.equal('@1795132800');
    });
  });

  it('answers over HTTP/2', async () => {
    const app = createApp({
      store: createAnimalStore({ catalogue: new InMemoryPetCatalogue() }),
      apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]),
    });
    const port = await listenOnFreePort(createHttp2Server(app.callback()));
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    endWithTest(() => session.close());
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v1/pets',
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
    });
    stream.end('{"name":"Rex","categoryId":7}');
    const [fields] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect([fields[':status'], fields['location'], await text(stream)]).to.deep.equal([
      201,
      '/v1/pets/1',
      '{"id":1,"name":"Rex","categoryId":7}',
    ]);
  });

  it('answers through Koa as soon as middleware is added in front', async () => {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const app = createApp({ store, apiKeys: new InMemoryApiKeys([]) });
    const seen: number[] = [];
    app.middleware.unshift(async (ctx, next) => {
      await next();
      seen.push(ctx.status);
      ctx.set('X-Late', 'yes');
    });
    const server = app.listen(0, '127.0.0.1');
    endWithTest(() => server.close());
    await once(server, 'listening');
    const answer = await send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/livez`);
    expect(answer.json).to.deep.equal({ status: 'alive' });
    expect([seen, answer.header('X-Late')]).to.deep.equal([[200], 'yes']);
  });

  it("has no listener of Koa's for the end of a response", async () => {
    const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
    const server = createServer(createApp({ store, apiKeys: new InMemoryApiKeys([]) }).callback());
    const listeners: number[] = [];
    server.on('request', (_request, response) => listeners.push(response.listenerCount('end')));
    await request(await listenOnFreePort(server), 'GET', '/livez');
    expect(listeners).to.deep.equal([0]);
  });

  for (const [isReady, status, text] of [
    [true, 200, 'ready'],
    [false, 503, 'not ready'],
  ] as const) {
    it(`tells by /readyz that it is ${text}`, async () => {
      const answer = await send(`${await listen({ isReady: () => isReady })}/readyz`);
      expect([answer.status, answer.json]).to.deep.equal([status, { status: text }]);
    });
  }

  it('serves under the base path given', async () => {
    const url = await listen({ basePath: '/shop/v1' });
    const { status, json } = await send(`${url}/shop/v1/pets`, { key: KEY });
    expect([status, json]).to.deep.equal([200, []]);
  });

  for (const basePath of ['', '/', '/v2', 'v1', '/v1/', '/a b/v1', '/../v1', '/a/./v1', '/:x/v1', '//v1', '/(v1)/v1']) {
    it(`refuses ${JSON.stringify(basePath)} as a base path`, () => {
      const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
      expect(() => createApp({ store, apiKeys: new InMemoryApiKeys([]), basePath })).to.throw(TypeError, 'basePath');
    });
  }

  for (const bodyLimit of [0, -1, 1.5, 2 ** 28 + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`refuses ${bodyLimit} as the limit of a body`, () => {
      const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
      expect(() => createApp({ store, apiKeys: new InMemoryApiKeys([]), bodyLimit })).to.throw(TypeError, 'bodyLimit');
    });
  }

  for (const bodyLimit of [1, 2 ** 28]) {
    it(`takes ${bodyLimit} as the limit of a body`, () => {
      const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
      expect(() => createApp({ store, apiKeys: new InMemoryApiKeys([]), bodyLimit })).not.to.throw();
    });
  }

  describe('as a part of another Koa application', () => {
    async function listenAt(prefix: string): Promise<string> {
      const store = createAnimalStore({ catalogue: new InMemoryPetCatalogue() });
      const whole = new Koa();
      whole.use(async (ctx, next) => {
        ctx.set('X-Whole', 'yes');
        await next();
      });
      whole.use(mount(prefix, createApp({ store, apiKeys: new InMemoryApiKeys([{ name: 'me', key: KEY }]) })));
      whole.use((ctx) => {
        ctx.body = 'elsewhere';
      });
      return `http://127.0.0.1:${await listenOnFreePort(createServer(whole.callback()))}`;
    }

    const create = async (url: string): Promise<Answer> =>
      send(url, { key: KEY, body: '{"name":"Rex","categoryId":7}' });

    it('keeps the headers that the other has set', async () => {
      const answer = await send(`${await listenAt('/shop')}/shop/v1/pets`, { key: KEY });
      expect(answer.json).to.deep.equal([]);
      expect(answer.header('X-Whole')).to.equal('yes');
    });

    it('leaves the paths outside the prefix to the other application', async () => {
      expect((await send(`${await listenAt('/shop')}/v1/pets`)).text).to.equal('elsewhere');
    });

    it('includes the prefix in Location', async () => {
      const answer = await create(`${await listenAt('/shop')}/shop/v1/pets`);
      expect(answer.header('Location')).to.equal('/shop/v1/pets/1');
    });

    it('includes the prefix in the link to the next page', async () => {
      const url = `${await listenAt('/a/b')}/a/b/v1/pets`;
      for (let i = 0; i < 2; i++) await create(url);
      const answer = await send(`${url}?limit=1`, { key: KEY });
      expect(answer.header('Link')).to.equal('</a/b/v1/pets?limit=1&after=1>; rel="next"');
    });

    it('lists its address relative to the OpenAPI document', async () => {
      const { json } = await send(`${await listenAt('/shop')}/shop/openapi.json`);
      const { servers } = json as { servers: { url: string }[] };
      expect(servers.map(({ url }) => url)).to.deep.equal(['./v1']);
    });

    it('includes the prefix in the link to the replacement of getPet', async () => {
      const answer = await send(`${await listenAt('/shop')}/shop/v1/pets/1`, { key: KEY });
      expect(answer.header('Link')).to.equal('</shop/v1/pets>; rel="successor-version"');
    });
  });
});
