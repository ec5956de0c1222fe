import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { getRequestListener } from '@hono/node-server';
import { createAnimalStore, parsePet } from 'animal-store';
import { InMemoryPetCatalogue } from 'animal-store/in-memory';
import * as express from './json/express.js';
import * as fastify from './json/fastify.js';
import * as hono from './json/hono.js';

/** @import { RequestListener } from 'node:http' */
/** @import { AddressInfo } from 'node:net' */
/** @import { AnimalStore } from 'animal-store' */

/** @type {Readonly<Record<string, (store: AnimalStore) => Promise<RequestListener>>>} */
const FRAMEWORKS = {
  Express: async (store) => express.createAnimals(store),
  Fastify: async (store) => {
    const app = fastify.createAnimals(store);
    await app.ready();
    return app.routing;
  },
  Hono: async (store) => getRequestListener(hono.createAnimals(store).fetch),
};

/**
 * Serves a store with one animal by a framework, sends a request, and stops.
 *
 * @param {string} framework
 * @param {string} path
 * @param {unknown} [body]
 */
async function ask(framework, path, body) {
  const catalogue = new InMemoryPetCatalogue([{ name: 'Tom', categoryId: 9223372036854775807n }]);
  const listener = await FRAMEWORKS[framework]?.(createAnimalStore({ catalogue }));
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = /** @type {AddressInfo} */ (server.address());
    const headers = { 'Content-Type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    /** @type {unknown} */
    const json = await response.json();
    return { status: response.status, json };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const TOM = { id: 1n, name: 'Tom', categoryId: 9223372036854775807n };

for (const framework of Object.keys(FRAMEWORKS)) {
  describe(`${framework} with its own routes`, () => {
    it('answers with an animal that parsePet reads back', async () => {
      const { status, json } = await ask(framework, '/animals/1');
      assert.equal(status, 200);
      assert.deepEqual(parsePet(json), TOM);
    });

    it('answers with a list of them', async () => {
      const { json } = await ask(framework, '/animals');
      assert.ok(Array.isArray(json));
      assert.deepEqual(json.map(parsePet), [TOM]);
    });

    it('creates an animal, digit for digit', async () => {
      const newPet = { name: 'Rex', categoryId: '-9223372036854775808', status: 'sold' };
      assert.deepEqual(await ask(framework, '/animals', newPet), { status: 201, json: { id: '2', ...newPet } });
    });

    it('names every fault of a body', async () => {
      const { status, json } = await ask(framework, '/animals', { name: '', categoryId: 2 ** 53 });
      const { code, faults } = /** @type {{ code: string, faults: { member: string }[] }} */ (json);
      assert.deepEqual(
        [status, code, faults.map(({ member }) => member)],
        [400, 'invalid_pet', ['name', 'categoryId']],
      );
    });

    it('answers 404 for an id that no animal has', async () => {
      for (const id of ['2', '01', 'rex']) assert.equal((await ask(framework, `/animals/${id}`)).status, 404);
    });
  });
}
