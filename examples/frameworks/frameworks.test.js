import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { createAnimalStore } from 'animal-store';
import { InMemoryApiKeys, InMemoryPetCatalogue } from 'animal-store/in-memory';
import * as expressFetch from './express-fetch.js';
import * as express from './express.js';
import * as fastify from './fastify.js';
import * as hono from './hono.js';
import * as nest from './nest.js';
import { createRoute } from './next-route.js';

/** @import { RequestListener } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { HttpInterfaceOptions } from 'animal-store/http' */

/** @type {Readonly<Record<string, (options: HttpInterfaceOptions) => Promise<RequestListener>>>} */
const FRAMEWORKS = {
  Express: async (options) => express.createShop(options),
  'Express with the Fetch handler': async (options) => expressFetch.createShop(options),
  'a route handler of Next.js': async (options) => {
    const route = createRoute(options);
    return getRequestListener((request) => route[/** @type {keyof typeof route} */ (request.method)](request));
  },
  Hono: async (options) => getRequestListener(hono.createShop(options).fetch),
  NestJS: async (options) => (await (await nest.createShop(options)).init()).getHttpAdapter().getInstance(),
  Fastify: async (options) => {
    const app = fastify.createShop(options);
    await app.ready();
    return app.routing;
  },
};

const KEY = 'the key of the example';
const BIG = '{"name":"Rex","categoryId":9223372036854775807}';

/**
 * Serves a new store by a framework, sends a request, and stops.
 *
 * @param {string} framework
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function ask(framework, path, init) {
  const catalogue = new InMemoryPetCatalogue([
    { name: 'Tom', categoryId: 8 },
    { name: 'Kim', categoryId: 9 },
  ]);
  const apiKeys = new InMemoryApiKeys([{ name: 'example', key: KEY }]);
  const listener = await FRAMEWORKS[framework]?.({ store: createAnimalStore({ catalogue }), apiKeys });
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = /** @type {AddressInfo} */ (server.address());
    const headers = { Authorization: `Bearer ${KEY}`, ...init?.headers };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

for (const framework of Object.keys(FRAMEWORKS)) {
  describe(framework, () => {
    /** @type {(path: string, init?: RequestInit) => ReturnType<typeof ask>} */
    const request = (path, init) => ask(framework, path, init);

    it('lists animals, and links to the next page under the path of the mount', async () => {
      const { status, headers, text } = await request('/shop/v1/pets?limit=1');
      assert.equal(status, 200);
      assert.equal(text, '[{"id":1,"name":"Tom","categoryId":8}]');
      assert.equal(headers.get('Link'), '</shop/v1/pets?limit=1&after=1>; rel="next"');
      assert.equal(headers.get('Content-Type'), 'application/json; charset=utf-8');
    });

    it('creates an animal, digit for digit', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const answer = await request('/shop/v1/pets', { method: 'POST', headers, body: BIG });
      assert.equal(answer.status, 201);
      assert.equal(answer.text, `{"id":3,${BIG.slice(1)}`);
      assert.equal(answer.headers.get('Location'), '/shop/v1/pets/3');
    });

    it('names every fault of a body', async () => {
      const headers = { 'Content-Type': 'application/json' };
      const { status, text } = await request('/shop/v1/pets', { method: 'POST', headers, body: '{"name":""}' });
      assert.equal(status, 400);
      assert.match(text, /name must be .*; categoryId is required/);
    });

    it('refuses a body that is not JSON, and one that is too large', async () => {
      const body = ' '.repeat(65_537);
      assert.equal((await request('/shop/v1/pets', { method: 'POST', body: 'a=1' })).status, 415);
      const headers = { 'Content-Type': 'application/json' };
      assert.equal((await request('/shop/v1/pets', { method: 'POST', headers, body })).status, 413);
    });

    it('gets an animal, and answers a HEAD without a body', async () => {
      assert.equal((await request('/shop/v1/pets/2')).text, '{"id":2,"name":"Kim","categoryId":9}');
      const head = await request('/shop/v1/pets/2', { method: 'HEAD' });
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers.get('Content-Length'), '36');
    });

    it('answers 401 without a key, 404 and 405 as the interface does', async () => {
      assert.equal((await request('/shop/v1/pets', { headers: { Authorization: '' } })).status, 401);
      assert.match((await request('/shop/v1/nowhere')).text, /"code":"route_not_found"/);
      const deleted = await request('/shop/v1/pets', { method: 'DELETE' });
      assert.equal(deleted.status, 405);
      assert.match(deleted.headers.get('Allow') ?? '', /GET.*POST/);
    });

    if (framework === 'a route handler of Next.js') return; // Next.js routes the other paths

    it('leaves the other paths of the application alone', async () => {
      if (framework === 'NestJS') assert.equal((await request('/')).status, 404);
      else assert.equal((await request('/')).text, 'Welcome to the shop');
    });
  });
}
